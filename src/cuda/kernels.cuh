// The hand-written kernels: an include and a line of the list each.
#pragma once

#include "cuda/kernels/ao.cuh"
#include "cuda/kernels/block_interleaved.cuh"
#include "cuda/kernels/block_two_stage.cuh"
#include "cuda/kernels/dot_fma.cuh"
#include "cuda/kernels/dot_rounded.cuh"
#include "cuda/kernels/grid_stride.cuh"
#include "cuda/kernels/inclusive_scan.cuh"
#include "cuda/kernels/index_add_large.cuh"
#include "cuda/kernels/index_add_small.cuh"
#include "cuda/kernels/scatter_add.cuh"
#include "cuda/kernels/shared_atomic.cuh"
#include "cuda/kernels/spa.cuh"
#include "cuda/kernels/sprg.cuh"
#include "cuda/kernels/sprg_neumaier.cuh"
#include "cuda/kernels/sptr.cuh"
#include "cuda/kernels/tprc.cuh"
#include "cuda/kernels/tprc_neumaier.cuh"
#include "cuda/kernels/warp.cuh"
#include "cuda/kernels/warp_down.cuh"
#include "cuda/kernels/warp_xor.cuh"

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
  KERNEL(DotRounded)             \
  KERNEL(IndexAddSmall)          \
  KERNEL(IndexAddLarge)          \
  KERNEL(ScatterAdd)             \
  KERNEL(InclusiveScan)
