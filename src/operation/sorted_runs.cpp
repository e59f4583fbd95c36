#include "operation/sorted_runs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "core/pass.hpp"
#include "operation/finish.hpp"
#include "orderlab/kernel.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kIndexingSource =
    "PyTorch 2.3, aten/src/ATen/native/cuda/Indexing.cu, index_put_with_sort_kernel";

/// What 16-bit numbers are added in.
template <class T>
using Wider = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class W>
W in_turn(W sum, std::span<const W> row) {
  for (const W x : row) sum += x;
  return sum;
}

template <class W>
W by_lanes(std::span<const W> row) {
  const std::size_t whole = row.size() / kWarp * kWarp;
  std::array<W, kWarp> lanes{};
  for (std::size_t i = 0; i < whole; ++i) lanes[i % kWarp] += row[i];
  for (std::size_t offset = kWarp / 2; offset > 0; offset /= 2)
    for (std::size_t l = 0; l < offset; ++l) lanes[l] += lanes[l + offset];
  return in_turn(lanes[0], row.subspan(whole));
}

/// Sets every output to `sum_of(initial, row)`, numbers of Wider, rounded to the result format after the division.
template <class SumOf>
Terms results_of(const LoweredOperation& operation, SumOf sum_of) {
  const Contributions& rows = operation.rows;
  Terms results(operation.formats.result, rows.outputs());
  with_type_of(rows.values.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    using W = Wider<T>;
    const T* const values = static_cast<const T*>(rows.values.view().x);
    const T* const initial = rows.initial ? static_cast<const T*>(rows.initial->view().x) : nullptr;
    std::vector<W> row;
    each_in_pass(rows.outputs(), [&](std::size_t r) {
      row.clear();
      for (std::size_t i = rows.row_begin[r]; i < rows.row_begin[r + 1]; ++i)
        row.push_back(static_cast<W>(static_cast<double>(values[i])));
      const W start = initial == nullptr ? W{0} : static_cast<W>(static_cast<double>(initial[r]));
      const T sum = row.empty() ? (initial == nullptr ? T{} : initial[r])
                                : round_to<T>(static_cast<double>(sum_of(start, std::span<const W>(row))));
      results.set(r, finished(operation, r, sum));
    });
  });
  return results;
}

Terms single_results(const LoweredOperation& operation) {
  return results_of(operation, [](auto start, auto row) {
    using W = decltype(start);
    return start + (row.size() < kWarp ? in_turn<W>(0, row) : by_lanes<W>(row));
  });
}

Terms small_slice_results(const LoweredOperation& operation) {
  return results_of(operation, [](auto start, auto row) { return start + in_turn<decltype(start)>(0, row); });
}

// In the result format T itself: every contribution is loaded, added in W and stored.
Terms large_slice_results(const LoweredOperation& operation) {
  return results_of(operation, [&](auto start, auto row) {
    using W = decltype(start);
    for (const W x : row) {
      start += x;
      const Format stored = operation.rows.values.format();
      start = static_cast<W>(value_of_bits(stored, round_to_bits(stored, static_cast<double>(start))));
    }
    return start;
  });
}

/// Additions to outputs, those to +0 left out, the longest path being that of `height` for the longest row.
AdditionCount count_rows(const LoweredOperation& operation, std::uint64_t (*height)(std::uint64_t row)) {
  AdditionCount count;
  for (std::size_t r = 0; r < operation.rows.outputs(); ++r) {
    const std::uint64_t n = operation.rows.row_length(r);
    if (n == 0) continue;
    count.additions += n;
    count.height = std::max(count.height, height(n));
  }
  return count;
}

AdditionCount count_single(const LoweredOperation& operation) {
  return count_rows(operation, [](std::uint64_t n) {
    constexpr std::uint64_t kSteps = std::bit_width(kWarp) - 1;
    return 1 + (n < kWarp ? n - 1 : n / kWarp - 1 + kSteps + n % kWarp);
  });
}

AdditionCount count_in_turn(const LoweredOperation& operation) {
  return count_rows(operation, [](std::uint64_t n) { return n; });
}

}  // namespace

FixedForm sorted_form(std::size_t slice) {
  if (slice == 1)
    return {"self + (0 + a + b + ...); from 32 on by the lanes of a warp", kIndexingSource, single_results,
            count_single};
  if (slice <= kWarp) return {"self + (0 + a + b + ...)", kIndexingSource, small_slice_results, count_in_turn};
  return {"((self + a) + b) + ..., in the order of the index", kIndexingSource, large_slice_results, count_in_turn};
}

Launch sorted_launch(std::size_t slice, std::size_t contributions) {
  constexpr std::size_t kWarpsPerBlock = 4;
  Launch launch;
  launch.kernel = slice == 1       ? "indexing_backward_kernel_stride_1"
                  : slice <= kWarp ? "indexing_backward_kernel_small_stride"
                                   : "indexing_backward_kernel";
  launch.source = kIndexingSource;
  launch.reason = "the index is sorted first; slices of " + std::to_string(slice);
  launch.addition = sorted_form(slice).addition;
  launch.unit = "the contributions of one output, which one thread or warp adds";
  launch.threads_per_block = kWarp * kWarpsPerBlock;
  launch.grid = (contributions / slice + kWarpsPerBlock - 1) / kWarpsPerBlock;
  launch.guarantee = Guarantee::run_to_run;
  return launch;
}

}  // namespace orderlab
