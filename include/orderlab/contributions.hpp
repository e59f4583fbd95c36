// Operations with many outputs as the sums that they are: a row of contributions for each output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orderlab/terms.hpp"

namespace orderlab {

/// D outputs, each the sum (or product) of its row of contributions, and of an initial value where there are some.
///
/// Shape: row_begin.size() == D + 1, from 0 to C in steps that may be 0; unit.size() == values.size() == C; initial, if
///        there, has D numbers of the same format as values. D, C and units are from 1 to 2^31 - 1.
struct Contributions {
  std::vector<std::uint32_t> row_begin;  ///< row r is contributions row_begin[r], ..., row_begin[r + 1] - 1
  std::vector<std::uint32_t> unit;       ///< what arrives together: in a row in launch order, ties in program order
  Terms values{Format::fp32, 1};         ///< in the accumulate format, row by row
  std::optional<Terms> initial;          ///< `self`: one number for each output
  std::uint32_t units = 0;               ///< every unit is below it; one arrival order of them is drawn a sample

  std::size_t outputs() const { return row_begin.size() - 1; }
  std::size_t count() const { return unit.size(); }
  std::size_t row_length(std::size_t row) const { return row_begin[row + 1] - row_begin[row]; }
};

/// How the numbers of a row are combined.
enum class Combine : std::uint8_t { add, multiply };

}  // namespace orderlab
