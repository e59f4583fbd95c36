// The hand-written kernels, one line each, and the libraries' kernels, which run on a GPU only.
#pragma once

#define ORDERLAB_KERNELS(KERNEL) \
  KERNEL(WarpDown)               \
  KERNEL(WarpXor)                \
  KERNEL(BlockInterleaved)       \
  KERNEL(BlockTwoStage)          \
  KERNEL(GridStride)             \
  KERNEL(Ao)                     \
  KERNEL(Spa)                    \
  KERNEL(Warp)                   \
  KERNEL(SharedAtomic)           \
  KERNEL(Sptr)                   \
  KERNEL(Sprg)                   \
  KERNEL(SprgNeumaier)           \
  KERNEL(Tprc)                   \
  KERNEL(TprcNeumaier)           \
  KERNEL(DotFma)                 \
  KERNEL(DotRounded)
