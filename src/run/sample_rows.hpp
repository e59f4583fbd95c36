// Left-to-right sums of several samples at once: their additions are independent, so each takes a lane of a vector.
#pragma once

#include <cstddef>
#include <span>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Rows that are added at once at most.
inline constexpr std::size_t kMaxRows = Evaluator::kTogether;

/// Rows of partial sums of one format, all of the same length.
struct SampleRows {
  Format format;
  std::span<const void* const> data;  ///< at most kMaxRows
  std::size_t count;                  ///< partial sums in a row, at least 1
  bool atomic;                        ///< add as acc=atomic does
  bool from_zero;                     ///< start from +0.0; atomic always does
};

/// Sets sums[r] to the sum of row r, from left to right, and adds to errors[r] what the additions contribute: bit for
/// bit what add_in_turn does with Floats, row by row.
///
/// Shape: sums and errors have a place for each row.
void add_sample_rows(const SampleRows& rows, std::span<double> sums, std::span<RunningError> errors);

}  // namespace orderlab
