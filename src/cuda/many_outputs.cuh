// What kernels with many outputs do alike: their arrays, cases and atomics.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// Rows of a source from which on index_add takes the kernel for many indices.
inline constexpr std::size_t kLeastLargeRows = 17;

/// Extents of a case with an index: rows of 1 to 300 elements, as many outputs as rows, half, a tenth, or one row of
/// outputs.
constexpr ArrayExtents indexed_extents(std::size_t n, std::uint64_t seed, std::size_t least_rows) {
  constexpr std::size_t kColumns[] = {1, 3, 33, 128, 300};
  const std::size_t most_columns = std::max<std::size_t>(1, n / least_rows);
  const std::size_t columns = std::min(kColumns[(n + seed) % 5], most_columns);
  const std::size_t rows = std::max(least_rows, (n + columns - 1) / columns);
  const std::size_t bins[] = {rows, (rows + 1) / 2, (rows + 9) / 10, 1};
  return {rows, columns, bins[(n / 5 + seed) % 4]};
}

/// The same of at most 16 rows, whatever n.
constexpr ArrayExtents few_indices_extents(std::size_t n, std::uint64_t seed) {
  const std::size_t rows = 1 + (n + seed) % (kLeastLargeRows - 1);
  return {rows, (n + rows - 1) / rows, 1 + (n / 5 + seed) % rows};
}

/// The output of bin `bin` in the column of element p.
__device__ inline std::size_t output_of(std::int64_t bin, std::size_t columns, std::size_t p) {
  return static_cast<std::size_t>(bin) * columns + p % columns;
}

/// Adds a contribution to its output atomically. A recording kernel keeps what the atomic returned; without a record
/// the value is not returned at all, as in an ordinary kernel.
template <bool kRecord, class T>
__device__ void add_contribution(T* outputs, std::size_t output, T value, T* returned, std::size_t p) {
  if constexpr (kRecord)
    returned[p] = atomicAdd(outputs + output, value);
  else
    atomicAdd(outputs + output, value);
}

/// Arrays of a run in the memory of the device; `returned` has a place for each contribution, or is null.
template <class T>
struct DeviceArrays {
  const T* source;
  const std::int64_t* index;
  T* outputs;
  T* returned;
};

/// Runs a kernel of `grid` thread blocks that adds the source to its outputs. `launch(record, arrays)` launches it,
/// recording where `record` is std::true_type.
template <class T, class Device, class Launch>
RunResult<T> run_contributions(Device& device, const RunInput<T>& in, unsigned grid, Launch launch) {
  RunResult<T> result{.shape = in.shape};
  result.shape.grid = grid;
  DeviceArrays<T> arrays{device.input(in.x, "source"), device.input(in.index, "index"), device.copy(in.self, "outputs"),
                         nullptr};
  if (in.record) {
    arrays.returned = device.template uninitialised<T>(in.x.size(), "returned");
    launch(std::true_type{}, arrays);
    result.returned = device.read(arrays.returned, in.x.size());
  } else {
    launch(std::false_type{}, arrays);
  }
  result.outputs = device.read(arrays.outputs, in.self.size());
  return result;
}

}  // namespace orderlab::cuda
