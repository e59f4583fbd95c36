// Cooperative groups on the host: the grid, thread blocks, tiles of up to a warp, groups of lanes that are together,
// reductions and scans over a tile. In place of CUDA's <cooperative_groups.h>, <cooperative_groups/reduce.h> and
// <cooperative_groups/scan.h>; kernels that wait for the grid are launched with simt::Device::launch_cooperative.
#pragma once

#include <bit>

#include "orderlab/cuda_on_host.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
namespace cooperative_groups {

#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()

/// The threads of one thread block.
class thread_block {
 public:
  void sync(ORDERLAB_WHERE) const { orderlab::simt::barrier(orderlab::simt::BarrierVote::none, false, where); }
  static unsigned size() { return static_cast<unsigned>(blockDim.count()); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() {
    const auto thread = threadIdx;
    const auto extent = blockDim;
    return (thread.z * extent.y + thread.y) * extent.x + thread.x;
  }
  static orderlab::simt::Dim3 group_dim() { return blockDim; }
  static orderlab::simt::Dim3 dim_threads() { return blockDim; }
  static orderlab::simt::Index3 group_index() { return blockIdx; }
  static orderlab::simt::Index3 thread_index() { return threadIdx; }
};

/// All threads of a cooperative launch.
class grid_group {
 public:
  void sync(ORDERLAB_WHERE) const { orderlab::simt::grid_barrier(where); }
  static bool is_valid() { return true; }
  static unsigned long long size() { return gridDim.count() * blockDim.count(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long num_blocks() { return gridDim.count(); }
  static orderlab::simt::Dim3 group_dim() { return gridDim; }
  static orderlab::simt::Dim3 dim_blocks() { return gridDim; }
  static unsigned long long block_rank() {
    const auto block = blockIdx;
    const auto extent = gridDim;
    return (static_cast<unsigned long long>(block.z) * extent.y + block.y) * extent.x + block.x;
  }
  static unsigned long long thread_rank() { return block_rank() * blockDim.count() + thread_block::thread_rank(); }
};

namespace detail {

/// Lanes of one warp, as a mask: what tiles and coalesced groups have in common.
class lanes {
 public:
  explicit lanes(unsigned mask) : mask_(mask) {}

  unsigned size() const { return static_cast<unsigned>(std::popcount(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return static_cast<unsigned>(std::popcount(mask_ & ((1U << lane_of_warp()) - 1))); }
  unsigned long long meta_group_rank() const { return thread_block::thread_rank() / size(); }
  unsigned long long meta_group_size() const { return (thread_block::size() + size() - 1) / size(); }

  void sync(ORDERLAB_WHERE) const { orderlab::simt::warp_barrier(mask_, where); }

  template <class T>
  T shfl(T value, unsigned rank, ORDERLAB_WHERE) const {
    return from(value, rank, where);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, ORDERLAB_WHERE) const {
    const unsigned rank = thread_rank();
    return from(value, rank + delta < size() ? rank + delta : rank, where);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, ORDERLAB_WHERE) const {
    const unsigned rank = thread_rank();
    return from(value, delta <= rank ? rank - delta : rank, where);
  }
  template <class T>
  T shfl_xor(T value, unsigned mask, ORDERLAB_WHERE) const {
    const unsigned rank = thread_rank() ^ mask;
    return from(value, rank < size() ? rank : thread_rank(), where);
  }
  int any(int predicate, ORDERLAB_WHERE) const { return __any_sync(mask_, predicate, where); }
  int all(int predicate, ORDERLAB_WHERE) const { return __all_sync(mask_, predicate, where); }
  unsigned ballot(int predicate, ORDERLAB_WHERE) const {
    const unsigned voted = __ballot_sync(mask_, predicate, where);
    unsigned ranks = 0;
    for (unsigned rank = 0; rank < size(); ++rank) ranks |= (voted >> lane(rank) & 1U) << rank;
    return ranks;
  }

  unsigned mask() const { return mask_; }

 private:
  static unsigned lane_of_warp() { return thread_block::thread_rank() % static_cast<unsigned>(warpSize); }

  /// The lane of the warp that has the rank; the last for one that is too large.
  unsigned lane(unsigned rank) const {
    unsigned rest = mask_;
    for (; rank > 0 && (rest & (rest - 1)) != 0; --rank) rest &= rest - 1;
    return static_cast<unsigned>(std::countr_zero(rest));
  }

  template <class T>
  T from(T value, unsigned rank, const std::source_location& where) const {
    if constexpr (sizeof(T) <= 8) {
      return __shfl_sync(mask_, value, static_cast<int>(lane(rank)), warpSize, where);
    } else {  // word by word, as CUDA does it
      constexpr std::size_t kWords = (sizeof(T) + 3) / 4;
      unsigned words[kWords] = {};
      std::memcpy(words, &value, sizeof value);
      for (unsigned& word : words) word = __shfl_sync(mask_, word, static_cast<int>(lane(rank)), warpSize, where);
      std::memcpy(&value, words, sizeof value);
      return value;
    }
  }

  unsigned mask_;
};

}  // namespace detail

/// Size consecutive threads of a thread block, 1 to 32: a power of two.
template <unsigned Size, class Parent = void>
class thread_block_tile : public detail::lanes {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "tiles of 1, 2, 4, 8, 16 or 32 threads");

 public:
  thread_block_tile() : lanes(mask_here()) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& other) : lanes(other) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }

 private:
  static unsigned mask_here() {
    const unsigned first = thread_block::thread_rank() % 32 / Size * Size;
    return (Size == 32 ? ~0U : (1U << Size % 32) - 1) << first;
  }
};

/// Several warps of a thread block as a tile: declared, so that programs with such a kernel compile. A thread that uses
/// one ends the program.
template <unsigned Size>
class several_warps {
 public:
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned thread_rank(ORDERLAB_WHERE) const { end(where); }
  unsigned meta_group_rank(ORDERLAB_WHERE) const { end(where); }
  unsigned meta_group_size(ORDERLAB_WHERE) const { end(where); }
  void sync(ORDERLAB_WHERE) const { end(where); }
  template <class T>
  T shfl(T, unsigned, ORDERLAB_WHERE) const {
    end(where);
  }
  template <class T>
  T shfl_xor(T, unsigned, ORDERLAB_WHERE) const {
    end(where);
  }

 private:
  [[noreturn]] static void end(const std::source_location& where) {
    orderlab::simt::unsupported("uses a tile of several warps: these are not run", where);
  }
};

/// Memory for tiles of several warps.
template <unsigned Threads>
struct block_tile_memory {
  char unused;
};

/// The lanes of a warp that are together.
class coalesced_group : public detail::lanes {
 public:
  using lanes::lanes;
};

/// Any of these groups, as a parameter of functions.
class thread_group {
 public:
  thread_group(const thread_block&) : is_block_(true), lanes_(0) {}
  thread_group(const detail::lanes& lanes) : lanes_(lanes) {}

  unsigned size() const { return is_block_ ? thread_block::size() : lanes_.size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return is_block_ ? thread_block::thread_rank() : lanes_.thread_rank(); }
  void sync(ORDERLAB_WHERE) const { is_block_ ? thread_block().sync(where) : lanes_.sync(where); }
  const detail::lanes& as_lanes() const { return lanes_; }

 private:
  bool is_block_ = false;
  detail::lanes lanes_;
};

inline thread_block this_thread_block() { return {}; }
template <unsigned Threads>
thread_block this_thread_block(block_tile_memory<Threads>&) {
  return {};
}
inline grid_group this_grid() { return {}; }
inline coalesced_group coalesced_threads(ORDERLAB_WHERE) { return coalesced_group(__activemask(where)); }

template <unsigned Size, class Parent>
auto tiled_partition(const Parent&) {
  if constexpr (Size > 32)
    return several_warps<Size>();
  else
    return thread_block_tile<Size, Parent>();
}
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  const unsigned first = parent.thread_rank() % 32 / size * size;
  return detail::lanes((size >= 32 ? ~0U : (1U << size) - 1) << first);
}

/// The lanes of `group` that give the same label, or for which a predicate is the same.
template <class T>
coalesced_group labeled_partition(const detail::lanes& group, T label, ORDERLAB_WHERE) {
  return coalesced_group(__match_any_sync(group.mask(), label, where));
}
inline coalesced_group binary_partition(const detail::lanes& group, bool predicate, ORDERLAB_WHERE) {
  const unsigned holds = __ballot_sync(group.mask(), predicate ? 1 : 0, where);
  return coalesced_group(predicate ? holds : group.mask() & ~holds);
}

template <class Group>
void sync(const Group& group, ORDERLAB_WHERE) {
  group.sync(where);
}

// ---- cooperative_groups/reduce.h
template <class T>
struct plus {
  T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(const T& a, const T& b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(const T& a, const T& b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(const T& a, const T& b) const { return a ^ b; }
};

/// A group of 2^k lanes exchanges values over half its size, then half of that; others add from rank to rank.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, Operation operation, ORDERLAB_WHERE) {
  const unsigned size = group.size();
  if ((size & (size - 1)) == 0) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2)
      value = operation(value, group.shfl_xor(value, distance, where));
    return value;
  }
  T result = group.shfl(value, 0, where);
  for (unsigned rank = 1; rank < size; ++rank) result = operation(result, group.shfl(value, rank, where));
  return result;
}

// ---- cooperative_groups/scan.h
/// Each rank takes from the one 1, 2, 4, ... below it, in CUDA's order: its own operand is the first.
template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, Operation operation, ORDERLAB_WHERE) {
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T other = group.shfl_up(value, distance, where);
    if (distance <= group.thread_rank()) value = operation(value, other);
  }
  return value;
}
template <class Group, class T>
T inclusive_scan(const Group& group, T value, ORDERLAB_WHERE) {
  return inclusive_scan(group, value, plus<T>(), where);
}

/// The inclusive one of the rank below; rank 0 gets T().
template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, Operation operation, ORDERLAB_WHERE) {
  const T all = inclusive_scan(group, value, operation, where);
  const T below = group.shfl_up(all, 1, where);
  return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value, ORDERLAB_WHERE) {
  return exclusive_scan(group, value, plus<T>(), where);
}

#undef ORDERLAB_WHERE

}  // namespace cooperative_groups
// NOLINTEND(readability-identifier-naming)
