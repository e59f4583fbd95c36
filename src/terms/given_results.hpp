// Results that a user gives: numbers, or bit patterns, of the result format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// Why a text is no result; the problem says what would be right.
struct ReadResult {
  std::optional<std::uint64_t> bits;  ///< in the format asked for, NaN canonical
  bool rounded = false;               ///< the text was a decimal that the format does not hold
  std::string problem;                ///< empty when there are bits
};

/// Reads a decimal, rounded once to `format`; a hex float, exact there; bits:0x... with exactly the format's digits;
/// inf, -inf, nan.
ReadResult read_result(std::string_view text, Format format);

/// The results of a file, as they stand in it.
struct GivenResults {
  std::vector<std::uint64_t> bits;
  std::uint64_t rounded = 0;
};

/// Text (whatever the extension; "-" is standard input): results as read_result takes them, separated by blanks, commas
/// or ends of lines; the rest of a line from # on is skipped. .npy, .f64 and .f32: numbers, exact in `format`.
///
/// Errors: input, one line with file and line number.
GivenResults read_given_results(const std::string& path, Format format);

/// Numbers as results. Error(input), naming `source`, for one that is not exact in `format`.
GivenResults exact_results(const std::string& source, const Terms& numbers, Format format);

}  // namespace orderlab
