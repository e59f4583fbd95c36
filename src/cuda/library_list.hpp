// The libraries' kernels, one line each below and its header here. Readable without CUDA.
#pragma once

#include "cuda/library/cg_reduce.cuh"
#include "cuda/library/cub_block.cuh"
#include "cuda/library/cub_block_raking.cuh"
#include "cuda/library/cub_block_raking_commutative.cuh"
#include "cuda/library/cub_device.cuh"
#include "cuda/library/cub_device_unaligned.cuh"
#include "cuda/library/cub_warp.cuh"
#include "cuda/library/thrust.cuh"
#include "cuda/library/thrust_vector.cuh"

#define ORDERLAB_LIBRARY_KERNELS(KERNEL) \
  KERNEL(CubDevice)                      \
  KERNEL(CubDeviceUnaligned)             \
  KERNEL(CubBlock)                       \
  KERNEL(CubBlockRaking)                 \
  KERNEL(CubBlockRakingCommutative)      \
  KERNEL(CubWarp)                        \
  KERNEL(CgReduce)                       \
  KERNEL(Thrust)                         \
  KERNEL(ThrustVector)
