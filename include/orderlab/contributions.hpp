// Operations with many outputs as the sums that they are: for each output a row of contributions, or a row of terms
// made where they are asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orderlab/plan.hpp"
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

  /// Consecutive units of a thread block, where units are smaller than one. A model then draws when thread blocks
  /// arrive; the units of one arrive together, in any order. Where every order is equally likely, or in launch order,
  /// units arrive so by themselves.
  std::uint32_t units_per_block = 1;

  std::size_t outputs() const { return row_begin.size() - 1; }
  std::size_t count() const { return unit.size(); }
  std::size_t row_length(std::size_t row) const { return row_begin[row + 1] - row_begin[row]; }
};

/// How the numbers of a row are combined.
enum class Combine : std::uint8_t { add, multiply };

/// Rows whose terms are no neighbours in memory but blocks of arrays of three dimensions. Term (a, b, c) of row r, the
/// last one fastest, is x[x_begin[r] + a x_steps[0] + b x_steps[1] + c x_steps[2]] times the same of y.
struct TermBlocks {
  std::array<std::size_t, 3> extents{1, 1, 1};
  std::array<std::ptrdiff_t, 3> x_steps{};
  std::array<std::ptrdiff_t, 3> y_steps{};
  std::vector<std::uint32_t> x_begin = {};
  std::vector<std::uint32_t> y_begin = {};
};

/// Room for rows that are gathered, reused from call to call.
struct TermBuffer {
  std::vector<std::byte> x;
  std::vector<std::byte> y;
};

/// Rows of as many terms each, in the order in which they are added and draw.
struct TermPart {
  TermRows rows;                            ///< rows of neighbouring terms; with blocks, strides are not read
  std::optional<TermBlocks> blocks = {};    ///< where the rows lie then
  std::vector<std::uint32_t> outputs = {};  ///< the output of each row; empty: those after the last part's, one by one
  std::size_t first_output = 0;             ///< where `outputs` is empty
  std::size_t first_row = 0;                ///< rows of the parts before this one

  std::size_t output(std::size_t row) const { return outputs.empty() ? first_output + row : outputs[row]; }

  /// Rows begin, ..., begin + count - 1. Blocks are gathered in `buffer`, where they stay until it is used again.
  TermRows some(std::size_t begin, std::size_t count, TermBuffer& buffer) const;

  /// Rows that are worth being gathered at once: as many as fill a near cache, at least as many as vectors have lanes.
  /// All rows where terms are neighbours.
  std::size_t rows_at_once() const;
};

/// One row of terms for each output.
class OutputTerms {
 public:
  /// Adds the rows of the next outputs.
  void add(TermRows rows);

  /// Adds rows of products, blocks of the two arrays, that are those of these outputs.
  ///
  /// Shape: blocks.x_begin, blocks.y_begin and outputs, which ascend, have the same size, not 0. An extent of 0 makes
  ///        empty rows. Parts of blocks and of neighbours are not mixed.
  void add(const TermView& arrays, TermBlocks blocks, std::vector<std::uint32_t> outputs);

  bool empty() const { return parts_.empty(); }
  std::size_t outputs() const { return outputs_; }

  /// Number of terms of all outputs.
  std::uint64_t count() const;

  /// The parts: their rows are those of all outputs, each once.
  const std::vector<TermPart>& parts() const { return parts_; }

  /// Number of terms of an output.
  std::size_t length(std::size_t output) const { return part_of(output).rows.n; }

  /// The terms of an output, gathered in `buffer` where they are not neighbours.
  TermView row(std::size_t output, TermBuffer& buffer) const;

 private:
  const TermPart& part_of(std::size_t output) const;

  std::vector<TermPart> parts_;
  std::size_t outputs_ = 0;
  struct Place {
    std::uint32_t part;
    std::uint32_t row;
  };
  std::vector<Place> places_;  ///< the place of each output; empty where all parts have theirs one by one
};

}  // namespace orderlab
