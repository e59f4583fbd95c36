// CUB's reductions and scans of warps and thread blocks, in the order in which CUB adds: BlockReduce by warp reductions,
// BlockScan by warp scans (CUB's default, by raking, adds floats in another order).
#pragma once

#include "../cuda_runtime.h"

// NOLINTBEGIN(readability-identifier-naming): the names are CUB's
namespace cub {

#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()

struct Sum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Max {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

namespace detail {

inline int thread_of_block() {
  const auto thread = threadIdx;
  const auto extent = blockDim;
  return static_cast<int>((thread.z * extent.y + thread.y) * extent.x + thread.x);
}

/// Lanes of the warp that exist.
inline unsigned whole_warp(int threads) {
  const int rest = threads - thread_of_block() / 32 * 32;
  return rest >= 32 ? ~0U : (1U << rest) - 1;
}

/// Neighbours first, then those twice as far: what lane 0 of `valid` lanes has is the result.
template <class T, class Operation>
T reduce_lanes(T value, Operation operation, int lane, int width, int valid, unsigned mask,
               const std::source_location& where) {
  for (int offset = 1; offset < width; offset *= 2) {
    const bool is_there = lane + offset < valid && lane + offset < width;
    const T other = __shfl_sync(mask, value, is_there ? lane + offset : lane, width, where);
    if (is_there) value = operation(value, other);
  }
  return value;
}

template <class T, class Operation>
T scan_lanes(T value, Operation operation, int lane, unsigned mask, const std::source_location& where) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const T other = __shfl_up_sync(mask, value, static_cast<unsigned>(offset), 32, where);
    if (lane >= offset) value = operation(other, value);
  }
  return value;
}

}  // namespace detail

template <class T, int Width = 32, int = 0>
class WarpReduce {
 public:
  struct TempStorage {
    char unused;
  };
  explicit WarpReduce(TempStorage&) {}

  template <class Operation>
  T Reduce(T value, Operation operation, int valid = Width, ORDERLAB_WHERE) {
    const int threads = static_cast<int>(blockDim.count());
    return detail::reduce_lanes(value, operation, detail::thread_of_block() % Width, Width, valid,
                                detail::whole_warp(threads), where);
  }
  T Sum(T value, int valid = Width, ORDERLAB_WHERE) { return Reduce(value, cub::Sum(), valid, where); }
};

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
  static constexpr int kThreads = X * Y * Z;
  static constexpr int kWarps = (kThreads + 31) / 32;

 public:
  struct TempStorage {
    T of_warps[kWarps];
  };
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  template <class Operation>
  T Reduce(T value, Operation operation, int valid = kThreads, ORDERLAB_WHERE) {
    const int thread = detail::thread_of_block();
    const int lane = thread % 32;
    value = detail::reduce_lanes(value, operation, lane, 32, valid - (thread - lane), detail::whole_warp(kThreads), where);
    if (lane == 0) storage_.of_warps[thread / 32] = value;
    __syncthreads(where);
    if (thread == 0)
      for (int warp = 1; warp * 32 < valid; ++warp) value = operation(value, storage_.of_warps[warp]);
    return value;
  }
  T Sum(T value, int valid = kThreads, ORDERLAB_WHERE) { return Reduce(value, cub::Sum(), valid, where); }

  template <int Items, class Operation>
  T Reduce(T (&values)[Items], Operation operation, ORDERLAB_WHERE) {
    T value = values[0];
    for (int i = 1; i < Items; ++i) value = operation(value, values[i]);
    return Reduce(value, operation, kThreads, where);
  }
  template <int Items>
  T Sum(T (&values)[Items], ORDERLAB_WHERE) {
    return Reduce(values, cub::Sum(), where);
  }

 private:
  TempStorage& storage_;
};

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
  static constexpr int kThreads = X * Y * Z;
  static constexpr int kWarps = (kThreads + 31) / 32;

 public:
  struct TempStorage {
    T of_warps[kWarps];
  };
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  void InclusiveSum(T value, T& sum, ORDERLAB_WHERE) {
    T all;
    InclusiveSum(value, sum, all, where);
  }
  void InclusiveSum(T value, T& sum, T& all, ORDERLAB_WHERE) {
    T before{};
    sum = scan(value, before, all, where);
    if (detail::thread_of_block() >= 32) sum = before + sum;
  }
  void ExclusiveSum(T value, T& sum, ORDERLAB_WHERE) {
    T all;
    ExclusiveSum(value, sum, all, where);
  }
  void ExclusiveSum(T value, T& sum, T& all, ORDERLAB_WHERE) {
    const int thread = detail::thread_of_block();
    T before{};
    const T own = scan(value, before, all, where);
    const T left = __shfl_up_sync(detail::whole_warp(kThreads), own, 1, 32, where);
    sum = thread % 32 == 0 ? before : thread < 32 ? left : before + left;
  }

 private:
  /// Sum of the lanes up to this one; `before`: of the warps before.
  T scan(T value, T& before, T& all, const std::source_location& where) {
    const int thread = detail::thread_of_block();
    const unsigned mask = detail::whole_warp(kThreads);
    const T own = detail::scan_lanes(value, Sum(), thread % 32, mask, where);
    if (thread % 32 == 31 || thread == kThreads - 1) storage_.of_warps[thread / 32] = own;
    __syncthreads(where);
    all = storage_.of_warps[0];
    for (int warp = 1; warp < kWarps; ++warp) {
      if (warp == thread / 32) before = all;
      all = all + storage_.of_warps[warp];
    }
    return own;
  }

  TempStorage& storage_;
};

#undef ORDERLAB_WHERE

}  // namespace cub
// NOLINTEND(readability-identifier-naming)
