// CUB's functions of warps and thread blocks, in the order in which CUB adds: BlockReduce by warp reductions, BlockScan
// by warp scans (CUB's default, by raking, adds floats in another order). Those of the device are in
// orderlab_device.cuh.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "../cuda_runtime.h"
#include "orderlab/library_on_gpu.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are CUB's
namespace cub {

#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()

using Sum = std::plus<>;
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

/// A value of any size from another lane, in words of up to 8 bytes.
template <class T>
T from_lane(unsigned mask, const T& value, int lane, int width, const std::source_location& where) {
  if constexpr (sizeof(T) <= 8) {
    return __shfl_sync(mask, value, lane, width, where);
  } else {
    std::uint64_t words[(sizeof(T) + 7) / 8] = {};
    std::memcpy(words, &value, sizeof value);
    for (std::uint64_t& word : words) word = __shfl_sync(mask, word, lane, width, where);
    T result = value;
    std::memcpy(&result, words, sizeof result);
    return result;
  }
}

/// Neighbours first, then those twice as far: what lane 0 of `valid` lanes has is the result.
template <class T, class Operation>
T reduce_lanes(T value, Operation operation, int lane, int width, int valid, unsigned mask,
               const std::source_location& where) {
  for (int offset = 1; offset < width; offset *= 2) {
    const bool is_there = lane + offset < valid && lane + offset < width;
    const T other = from_lane(mask, value, is_there ? lane + offset : lane, width, where);
    if (is_there) value = operation(value, other);
  }
  return value;
}

template <class T, class Operation>
T scan_lanes(T value, Operation operation, int lane, int width, unsigned mask, const std::source_location& where) {
  for (int offset = 1; offset < width; offset *= 2) {
    const T other = from_lane(mask, value, lane >= offset ? lane - offset : lane, width, where);
    if (lane >= offset) value = operation(other, value);
  }
  return value;
}

/// What CUB declares itself where a program gives no storage.
template <class Storage, class>
Storage& private_storage() {
  __shared__ Storage storage;
  return storage;
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

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
  static constexpr int kThreads = X * Y * Z;
  static constexpr int kWarps = (kThreads + 31) / 32;

 public:
  struct TempStorage {
    T of_warps[kWarps];
  };
  BlockReduce() : storage_(detail::private_storage<TempStorage, BlockReduce>()) {}
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  template <class Operation>
  T Reduce(T value, Operation operation, int valid = kThreads, ORDERLAB_WHERE) {
    const int thread = detail::thread_of_block();
    const int lane = thread % 32;
    value =
        detail::reduce_lanes(value, operation, lane, 32, valid - (thread - lane), detail::whole_warp(kThreads), where);
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

/// Scans of a warp by any number of results: `all` is the sum of the lanes.
template <class T, int Width = 32, int = 0>
class WarpScan {
 public:
  struct TempStorage {
    char unused;
  };
  explicit WarpScan(TempStorage&) {}

  template <class Operation>
  void InclusiveScan(T value, T& result, Operation operation, ORDERLAB_WHERE) {
    result = detail::scan_lanes(value, operation, lane(), Width, mask(), where);
  }
  template <class Operation>
  void InclusiveScan(T value, T& result, Operation operation, T& all, ORDERLAB_WHERE) {
    InclusiveScan(value, result, operation, where);
    all = detail::from_lane(mask(), result, Width - 1, Width, where);
  }
  template <class Operation>
  void ExclusiveScan(T value, T& result, T initial, Operation operation, ORDERLAB_WHERE) {
    T own;
    InclusiveScan(value, own, operation, where);
    const T left = detail::from_lane(mask(), own, std::max(lane() - 1, 0), Width, where);
    result = lane() == 0 ? initial : operation(initial, left);
  }
  void InclusiveSum(T value, T& result, ORDERLAB_WHERE) { InclusiveScan(value, result, Sum(), where); }
  void InclusiveSum(T value, T& result, T& all, ORDERLAB_WHERE) { InclusiveScan(value, result, Sum(), all, where); }
  void ExclusiveSum(T value, T& result, ORDERLAB_WHERE) { ExclusiveScan(value, result, T{}, Sum(), where); }
  void ExclusiveSum(T value, T& result, T& all, ORDERLAB_WHERE) {
    T own;
    InclusiveScan(value, own, Sum(), all, where);
    const T left = detail::from_lane(mask(), own, std::max(lane() - 1, 0), Width, where);
    result = lane() == 0 ? T{} : left;
  }

 private:
  static int lane() { return detail::thread_of_block() % Width; }
  static unsigned mask() { return detail::whole_warp(static_cast<int>(blockDim.count())); }
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
  static constexpr int kThreads = X * Y * Z;
  static constexpr int kWarps = (kThreads + 31) / 32;

 public:
  struct TempStorage {
    T of_warps[kWarps];
  };
  BlockScan() : storage_(detail::private_storage<TempStorage, BlockScan>()) {}
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  template <class Operation>
  void InclusiveScan(T value, T& result, Operation operation, T& all, ORDERLAB_WHERE) {
    T before{};
    result = scan(value, operation, before, all, where);
    if (detail::thread_of_block() >= 32) result = operation(before, result);
  }
  template <class Operation>
  void InclusiveScan(T value, T& result, Operation operation, ORDERLAB_WHERE) {
    T all;
    InclusiveScan(value, result, operation, all, where);
  }
  void InclusiveSum(T value, T& result, ORDERLAB_WHERE) { InclusiveScan(value, result, Sum(), where); }
  void InclusiveSum(T value, T& result, T& all, ORDERLAB_WHERE) { InclusiveScan(value, result, Sum(), all, where); }

  template <class Operation>
  void ExclusiveScan(T value, T& result, T initial, Operation operation, T& all, ORDERLAB_WHERE) {
    const int thread = detail::thread_of_block();
    T before{};
    const T own = scan(value, operation, before, all, where);
    const T left = detail::from_lane(detail::whole_warp(kThreads), own, std::max(thread % 32 - 1, 0), 32, where);
    if (thread >= 32) before = operation(initial, before);
    const T start = thread < 32 ? initial : before;
    result = thread % 32 == 0 ? start : operation(start, left);
  }
  template <class Operation>
  void ExclusiveScan(T value, T& result, T initial, Operation operation, ORDERLAB_WHERE) {
    T all;
    ExclusiveScan(value, result, initial, operation, all, where);
  }
  void ExclusiveSum(T value, T& result, ORDERLAB_WHERE) { ExclusiveScan(value, result, T{}, Sum(), where); }
  void ExclusiveSum(T value, T& result, T& all, ORDERLAB_WHERE) {
    ExclusiveScan(value, result, T{}, Sum(), all, where);
  }

  // Several items of each thread: their sum is scanned, and they are added in turn after those before.
  template <int Items>
  void ExclusiveSum(const T (&values)[Items], T (&results)[Items], T& all, ORDERLAB_WHERE) {
    T items[Items];
    for (int i = 0; i < Items; ++i) items[i] = values[i];
    T sum;
    ExclusiveSum(orderlab::host_program::add_items(items, Items, Sum()), sum, all, where);
    for (int i = 0; i < Items; ++i) {
      const T next = sum + values[i];
      results[i] = sum;
      sum = next;
    }
  }
  template <int Items>
  void ExclusiveSum(const T (&values)[Items], T (&results)[Items], ORDERLAB_WHERE) {
    T all;
    ExclusiveSum(values, results, all, where);
  }
  template <int Items>
  void InclusiveSum(const T (&values)[Items], T (&results)[Items], T& all, ORDERLAB_WHERE) {
    T before[Items];
    ExclusiveSum(values, before, all, where);
    for (int i = 0; i < Items; ++i) results[i] = before[i] + values[i];
  }
  template <int Items>
  void InclusiveSum(const T (&values)[Items], T (&results)[Items], ORDERLAB_WHERE) {
    T all;
    InclusiveSum(values, results, all, where);
  }

 private:
  /// Result of the lanes up to this one; `before`: of the warps before.
  template <class Operation>
  T scan(T value, Operation operation, T& before, T& all, const std::source_location& where) {
    const int thread = detail::thread_of_block();
    const T own = detail::scan_lanes(value, operation, thread % 32, 32, detail::whole_warp(kThreads), where);
    if (thread % 32 == 31 || thread == kThreads - 1) storage_.of_warps[thread / 32] = own;
    __syncthreads(where);
    all = storage_.of_warps[0];
    for (int warp = 1; warp < kWarps; ++warp) {
      if (warp == thread / 32) before = all;
      all = operation(all, storage_.of_warps[warp]);
    }
    return own;
  }

  TempStorage& storage_;
};

// ---- Items of a thread block: loads, stores, exchanges and sorts
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
 public:
  struct TempStorage {
    char unused;
  };
  BlockLoad() = default;
  explicit BlockLoad(TempStorage&) {}
  template <class Input>
  void Load(Input input, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i) items[i] = input[place(i)];
  }
  template <class Input>
  void Load(Input input, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i)
      if (place(i) < valid) items[i] = input[place(i)];
  }
  template <class Input, class D>
  void Load(Input input, T (&items)[Items], int valid, D absent) {
    for (int i = 0; i < Items; ++i) items[i] = place(i) < valid ? T(input[place(i)]) : T(absent);
  }

 private:
  static int place(int i) {
    return Algorithm == BLOCK_LOAD_STRIPED ? detail::thread_of_block() + i * X * Y * Z
                                           : detail::thread_of_block() * Items + i;
  }
};

template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
 public:
  struct TempStorage {
    char unused;
  };
  BlockStore() = default;
  explicit BlockStore(TempStorage&) {}
  template <class Output>
  void Store(Output output, T (&items)[Items]) {
    Store(output, items, X * Y * Z * Items);
  }
  template <class Output>
  void Store(Output output, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i) {
      const int place = Algorithm == BLOCK_STORE_STRIPED ? detail::thread_of_block() + i * X * Y * Z
                                                         : detail::thread_of_block() * Items + i;
      if (place < valid) output[place] = items[i];
    }
  }
};

/// A stable sort: each item counts those that come before it.
template <class K, int X, int Items, class V = void, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS>
class BlockRadixSort {
 public:
  struct TempStorage {
    K keys[X * Items];
    std::conditional_t<std::is_void_v<V>, char, V> values[X * Items];
  };
  explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  void Sort(K (&keys)[Items], int = 0, int = 0, ORDERLAB_WHERE) { sort<V>(keys, nullptr, false, where); }
  void SortDescending(K (&keys)[Items], int = 0, int = 0, ORDERLAB_WHERE) { sort<V>(keys, nullptr, true, where); }
  template <class U>
  void Sort(K (&keys)[Items], U (&values)[Items], int = 0, int = 0, ORDERLAB_WHERE) {
    sort<U>(keys, values, false, where);
  }
  template <class U>
  void SortDescending(K (&keys)[Items], U (&values)[Items], int = 0, int = 0, ORDERLAB_WHERE) {
    sort<U>(keys, values, true, where);
  }

 private:
  template <class U>
  void sort(K (&keys)[Items], U* values, bool descending, const std::source_location& where) {
    const int first = detail::thread_of_block() * Items;
    for (int i = 0; i < Items; ++i) storage_.keys[first + i] = keys[i];
    __syncthreads(where);
    int places[Items];
    for (int i = 0; i < Items; ++i) {
      places[i] = 0;
      for (int k = 0; k < X * Items; ++k) {
        const K other = storage_.keys[k];
        const bool comes_before = descending ? keys[i] < other : other < keys[i];
        if (comes_before || (k < first + i && !(other < keys[i]) && !(keys[i] < other))) ++places[i];
      }
    }
    __syncthreads(where);
    for (int i = 0; i < Items; ++i) storage_.keys[places[i]] = keys[i];
    if constexpr (!std::is_void_v<U>)
      for (int i = 0; i < Items; ++i) storage_.values[places[i]] = values[i];
    __syncthreads(where);
    for (int i = 0; i < Items; ++i) keys[i] = storage_.keys[first + i];
    if constexpr (!std::is_void_v<U>)
      for (int i = 0; i < Items; ++i) values[i] = storage_.values[first + i];
  }

  TempStorage& storage_;
};

#undef ORDERLAB_WHERE

template <class T>
constexpr T DivideAndRoundUp(T a, T b) {
  return (a + b - 1) / b;
}

}  // namespace cub
// NOLINTEND(readability-identifier-naming)

#include "orderlab_device.cuh"
