// Cooperative groups on the host, as far as kernels of cooperative launches need them: the grid and the thread block.
// In place of CUDA's <cooperative_groups.h>; launch such kernels with simt::Device::launch_cooperative.
#pragma once

#include "orderlab/cuda_on_host.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
namespace cooperative_groups {

/// The threads of one thread block.
class thread_block {
 public:
  void sync(const std::source_location& where = std::source_location::current()) const {
    orderlab::simt::barrier(orderlab::simt::BarrierVote::none, false, where);
  }
  static unsigned size() { return static_cast<unsigned>(blockDim.count()); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() {
    const auto thread = threadIdx;
    const auto extent = blockDim;
    return (thread.z * extent.y + thread.y) * extent.x + thread.x;
  }
};

/// All threads of a cooperative launch.
class grid_group {
 public:
  void sync(const std::source_location& where = std::source_location::current()) const {
    orderlab::simt::grid_barrier(where);
  }
  static unsigned long long size() { return gridDim.count() * blockDim.count(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long num_blocks() { return gridDim.count(); }
  static unsigned long long block_rank() {
    const auto block = blockIdx;
    const auto extent = gridDim;
    return (static_cast<unsigned long long>(block.z) * extent.y + block.y) * extent.x + block.x;
  }
  static unsigned long long thread_rank() { return block_rank() * blockDim.count() + thread_block::thread_rank(); }
};

inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }
inline void sync(const thread_block& group, const std::source_location& where = std::source_location::current()) {
  group.sync(where);
}
inline void sync(const grid_group& group, const std::source_location& where = std::source_location::current()) {
  group.sync(where);
}

}  // namespace cooperative_groups
// NOLINTEND(readability-identifier-naming)
