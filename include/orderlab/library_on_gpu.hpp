// What the stand-ins of CUDA's libraries share: their loops as kernels of the simulated GPU, so that accesses are
// checked, and the orders in which CUB adds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orderlab/host_program.hpp"
#include "orderlab/narrow_on_host.hpp"

namespace orderlab::host_program {

/// The call of a library that the program makes, and its stream.
struct LibraryCall {
  Where where;
  const Stream* stream = nullptr;  ///< null: the default stream

  LibraryCall(const Where& place, const Stream* queue = nullptr) : where(place), stream(queue) {}

  Configuration configuration(std::size_t blocks, unsigned threads) const {
    return {
        .grid = static_cast<unsigned>(blocks), .block = threads, .where = where, .stream = stream, .of_library = true};
  }
};

/// Calls body(i) for 0 <= i < n, each in a thread of a kernel of that name; in a kernel, in turn.
template <class Body>
void for_each_index(std::string_view name, std::size_t n, const LibraryCall& call, const Body& body) {
  if (simt::in_kernel()) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  if (n == 0) return;
  constexpr unsigned kThreads = 256;
  const auto thread = [=] {
    const std::size_t i = std::size_t{simt::block_index().x} * kThreads + simt::thread_index().x;
    if (i < n) body(i);
  };
  launch_body(name, call.configuration((n + kThreads - 1) / kThreads, kThreads), nullptr, thread);
}

/// The same, each in a thread block of one thread: for bodies that do much.
template <class Body>
void for_each_block(std::string_view name, std::size_t n, const LibraryCall& call, const Body& body) {
  if (simt::in_kernel()) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  if (n == 0) return;
  launch_body(name, call.configuration(n, 1), nullptr, [=] { body(simt::block_index().x); });
}

/// Memory of a library that kernels and the host may use.
template <class T>
class ScratchMemory {
 public:
  ScratchMemory(std::size_t count, const LibraryCall& call)
      : call_(call),
        data_(static_cast<T*>(allocate(std::max<std::size_t>(count, 1) * sizeof(T), Memory::pinned, call.where))) {}
  ~ScratchMemory() { release_in(call_.stream, data_, call_.where); }
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  T* data() const { return data_; }

  /// What kernels of the call have written.
  void read(T* values, std::size_t count) const {
    copy(values, data_, count * sizeof(T), Direction::host_to_host, NumberType::bytes, call_.where,
         {call_.stream, true});
  }
  T first() const {
    T value;
    read(&value, 1);
    return value;
  }

 private:
  LibraryCall call_;
  T* data_;
};

// ---- Orders of CUB 3.0.1
/// Whether an operation is plus<>, of which CUB makes trees.
template <class Operation>
struct IsPlus : std::false_type {};
template <class T>
struct IsPlus<std::plus<T>> : std::true_type {};

/// Neighbours first, then those twice as far: the tree of a warp, and of a thread's fp32 items.
template <class T, class Operation>
T add_neighbours(T* values, std::size_t count, Operation operation) {
  for (std::size_t offset = 1; offset < count; offset *= 2)
    for (std::size_t i = 0; i + offset < count; i += 2 * offset) values[i] = operation(values[i], values[i + offset]);
  return values[0];
}

/// cub::ThreadReduce: plus<> of fp32 neighbours first, of 16-bit floats in two chains; all else in turn.
template <class T, class Operation>
T add_items(T* items, std::size_t count, Operation operation) {
  constexpr bool kIsNarrow = sizeof(T) == 2 && !std::is_integral_v<T>;
  if constexpr (IsPlus<Operation>::value && std::is_same_v<T, float>) return add_neighbours(items, count, operation);
  if constexpr (IsPlus<Operation>::value && kIsNarrow) {
    if (count == 1) return items[0];
    for (std::size_t i = 2; i < count - count % 2; ++i) items[i % 2] = operation(items[i % 2], items[i]);
    const T both = operation(items[0], items[1]);
    return count % 2 == 0 ? both : operation(both, items[count - 1]);
  }
  for (std::size_t i = 1; i < count; ++i) items[0] = operation(items[0], items[i]);
  return items[0];
}

/// cub::DeviceReduce: the order `cub` of orderlab, `thrust` where loads are striped.
template <class T, class Operation>
class DeviceSum {
  static constexpr std::size_t kThreads = 256;
  static constexpr std::size_t kWarpLanes = 32;
  static constexpr std::size_t kItems = std::clamp<std::size_t>(64 / sizeof(T), 1, 32);
  static constexpr std::size_t kVector = 4;  ///< items of one aligned load

 public:
  static constexpr std::size_t kTile = kThreads * kItems;
  /// Thread blocks at most: 8 multiprocessors, 8 thread blocks on each, and CUB's subscription factor 5.
  static constexpr std::size_t kMostBlocks = 8 * 8 * 5;

  explicit DeviceSum(Operation operation) : operation_(operation) {}

  static std::size_t blocks(std::size_t n) { return std::min((n + kTile - 1) / kTile, kMostBlocks); }

  /// Whether loads are of four neighbours: through a pointer to numbers that is a multiple of that.
  template <class Input>
  static bool is_aligned(Input input) {
    if constexpr (std::is_pointer_v<Input> && kItems % kVector == 0) {
      using Number = std::remove_cv_t<std::remove_pointer_t<Input>>;
      constexpr bool kIsNumber = std::is_arithmetic_v<Number> || (std::is_same_v<Number, T> && sizeof(T) == 2);
      return kIsNumber && reinterpret_cast<std::uintptr_t>(input) % (kVector * sizeof(Number)) == 0;
    } else {
      return false;
    }
  }

  /// What thread block `block` of `blocks` adds of the n >= 1 terms.
  template <class Input>
  T of_block(Input input, std::size_t n, std::size_t block, std::size_t blocks, bool aligned) const {
    const std::size_t begin = block * kTile;
    const std::size_t threads = std::min(n - begin, kThreads);
    T sums[kThreads];
    for (std::size_t thread = 0; thread < threads; ++thread)
      sums[thread] = of_thread(input, n, thread, begin, blocks * kTile, aligned);
    T sum = add_neighbours(sums, std::min(threads, kWarpLanes), operation_);
    for (std::size_t warp = kWarpLanes; warp < threads; warp += kWarpLanes)
      sum = operation_(sum, add_neighbours(sums + warp, std::min(threads - warp, kWarpLanes), operation_));
    return sum;
  }

 private:
  template <class Input>
  T of_thread(Input input, std::size_t n, std::size_t thread, std::size_t begin, std::size_t step, bool aligned) const {
    T sum{};
    bool has_sum = false;
    for (; begin < n && n - begin >= kTile; begin += step) {
      T items[kItems + 1];
      std::size_t count = 0;
      if (has_sum) items[count++] = sum;
      for (std::size_t i = 0; i < kItems; ++i)
        items[count++] = input[static_cast<std::ptrdiff_t>(
            begin + (aligned ? kVector * (thread + kThreads * (i / kVector)) + i % kVector : thread + kThreads * i))];
      sum = add_items(items, count, operation_);
      has_sum = true;
    }
    for (std::size_t i = begin + thread; i < n; i += kThreads) {
      const T item = input[static_cast<std::ptrdiff_t>(i)];
      sum = has_sum ? operation_(sum, item) : item;
      has_sum = true;
    }
    return sum;
  }

  Operation operation_;
};

/// Writes initial + the sum of `input`, in the order of cub::DeviceReduce, to *output, from a kernel of that name.
template <class T, class Input, class Output, class Operation>
void reduce_on_gpu(std::string_view name, Input input, Output output, std::size_t n, Operation operation, T initial,
                   const LibraryCall& call) {
  using Sum = DeviceSum<T, Operation>;
  const Sum sum(operation);
  if (n <= Sum::kTile) {
    for_each_block(name, 1, call, [=](std::size_t) {
      *output = n == 0 ? initial : operation(initial, sum.of_block(input, n, 0, 1, Sum::is_aligned(input)));
    });
    return;
  }
  const std::size_t blocks = Sum::blocks(n);
  const ScratchMemory<T> partial(blocks, call);
  T* const sums = partial.data();
  for_each_block(name, blocks, call, [=](std::size_t block) {
    sums[block] = sum.of_block(input, n, block, blocks, Sum::is_aligned(input));
  });
  for_each_block(name, 1, call, [=](std::size_t) {
    *output = operation(initial, sum.of_block(static_cast<const T*>(sums), blocks, 0, 1, true));
  });
}

/// cub::DeviceScan, tuned for sm_90: a thread adds its items in turn after the sum of all before, which a thread block
/// finds by scans of warps. Every tile takes its prefix from the tile before it, as `cumsum` of orderlab does by
/// default; on a GPU it may look further back, which can change bits.
template <class T, class Operation>
class DeviceScanOrder {
  static constexpr std::size_t kLanes = 32;
  static constexpr bool kIsWide = sizeof(T) >= 8;
  static constexpr std::size_t kThreads = sizeof(T) == 2 ? 512 : kIsWide ? 224 : 128;
  static constexpr std::size_t kItems = kIsWide ? 12 : 24;
  static constexpr std::size_t kTile = kThreads * kItems;

 public:
  explicit DeviceScanOrder(Operation operation) : operation_(operation) {}

  /// `initial`: null for an inclusive scan without a start.
  template <class Input, class Output>
  void run(Input input, Output output, std::size_t n, const T* initial, bool exclusive) const {
    T before{};
    bool has_before = initial != nullptr;
    if (has_before) before = *initial;
    for (std::size_t tile = 0; tile < n; tile += kTile) {
      T starts[kThreads];
      const std::size_t threads = std::min(kThreads, (n - tile + kItems - 1) / kItems);
      const T sum = scan_threads(input, n, tile, threads, starts);
      for (std::size_t thread = 0; thread < threads; ++thread) {
        const bool has_own = has_before || thread > 0;
        T start = thread == 0 ? before : has_before ? operation_(before, starts[thread]) : starts[thread];
        write_items(input, output, n, tile + thread * kItems, start, has_own, exclusive);
      }
      before = has_before ? operation_(before, sum) : sum;
      has_before = true;
    }
  }

 private:
  /// starts[j]: of the threads before j in the tile, for j > 0. Returns the sum of all.
  template <class Input>
  T scan_threads(Input input, std::size_t n, std::size_t tile, std::size_t threads, T* starts) const {
    T all{};
    for (std::size_t warp = 0; warp < threads; warp += kLanes) {
      const std::size_t lanes = std::min(kLanes, threads - warp);
      T sums[kLanes];
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] = of_thread(input, n, tile + (warp + lane) * kItems);
      for (std::size_t offset = 1; offset < lanes; offset *= 2)
        for (std::size_t lane = lanes; lane-- > offset;) sums[lane] = operation_(sums[lane - offset], sums[lane]);
      if (warp > 0) starts[warp] = all;
      for (std::size_t lane = 1; lane < lanes; ++lane)
        starts[warp + lane] = warp == 0 ? sums[lane - 1] : operation_(all, sums[lane - 1]);
      all = warp == 0 ? sums[lanes - 1] : operation_(all, sums[lanes - 1]);
    }
    return all;
  }

  template <class Input>
  T of_thread(Input input, std::size_t n, std::size_t first) const {
    T items[kItems];
    const std::size_t count = std::min(kItems, n - first);
    for (std::size_t i = 0; i < count; ++i) items[i] = input[static_cast<std::ptrdiff_t>(first + i)];
    return add_items(items, count, operation_);
  }

  template <class Input, class Output>
  void write_items(Input input, Output output, std::size_t n, std::size_t first, T sum, bool has_sum,
                   bool exclusive) const {
    for (std::size_t i = first; i < std::min(first + kItems, n); ++i) {
      const T item = input[static_cast<std::ptrdiff_t>(i)];
      const T next = has_sum ? operation_(sum, item) : item;
      output[static_cast<std::ptrdiff_t>(i)] = exclusive ? sum : next;
      sum = next;
      has_sum = true;
    }
  }

  Operation operation_;
};

template <class T, class Input, class Output, class Operation>
void scan_on_gpu(std::string_view name, Input input, Output output, std::size_t n, Operation operation,
                 const T* initial, bool exclusive, const LibraryCall& call) {
  const DeviceScanOrder<T, Operation> order(operation);
  const T start = initial == nullptr ? T{} : *initial;
  const bool has_start = initial != nullptr;
  for_each_block(name, 1, call,
                 [=](std::size_t) { order.run(input, output, n, has_start ? &start : nullptr, exclusive); });
}

// ---- What is not a sum: brought to the host, done there, and written back
/// The values of `input`, read by a kernel.
template <class Input>
auto gathered(std::string_view name, Input input, std::size_t n, const LibraryCall& call) {
  using T = std::remove_cvref_t<decltype(input[0])>;
  const ScratchMemory<T> scratch(n, call);
  T* const data = scratch.data();
  for_each_index(name, n, call, [=](std::size_t i) { data[i] = input[static_cast<std::ptrdiff_t>(i)]; });
  const std::unique_ptr<T[]> values(new T[n]);
  scratch.read(values.get(), n);
  return std::vector<T>(values.get(), values.get() + n);
}

/// Writes values to `output` by a kernel.
template <class T, class Output>
void scatter(std::string_view name, const std::vector<T>& values, Output output, const LibraryCall& call) {
  const ScratchMemory<T> scratch(values.size(), call);
  T* const data = scratch.data();
  std::copy(values.begin(), values.end(), data);
  for_each_index(name, values.size(), call, [=](std::size_t i) { output[static_cast<std::ptrdiff_t>(i)] = data[i]; });
}

}  // namespace orderlab::host_program
