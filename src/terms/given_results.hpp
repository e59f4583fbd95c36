// Results that a user gives: numbers, or bit patterns, of the result format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/terms.hpp"
#include "terms/array_file.hpp"

namespace orderlab {

/// Why a text is no result; the problem says what would be right.
struct ReadResult {
  std::optional<GivenResult> result;  ///< in the format asked for
  bool rounded = false;               ///< the text was a decimal that the format does not hold
  bool mean = false;
  std::string problem;  ///< empty when there is a result
};

/// Reads a result of a sum of `n` terms: a decimal, rounded once to the result format, with what its digits leave open
/// where they are fewer than the format needs; a hex float, exact there; bits:0x... with exactly the format's digits;
/// inf, -inf, nan.
///
/// "mean:" before one of these makes it a mean, of the result format: the sums, numbers of the accumulate format, whose
/// mean it is. A mean is the sum over n, or the sum times the rounded 1/n, computed in the accumulate format and
/// rounded to the result format.
ReadResult read_result(std::string_view text, const Formats& formats, std::uint64_t n);

/// Some results, as they were given.
struct GivenResults {
  std::vector<GivenResult> results;
  std::uint64_t rounded = 0;
  bool means = false;  ///< sums of the accumulate format, from their means
};

/// Results of one sum that are read one by one.
class ResultList {
 public:
  /// `name`: of the file, for more of them than fit into memory.
  ResultList(const Formats& formats, std::uint64_t n, const std::string& name)
      : formats_(formats), n_(n), memory_(name) {}

  /// Error(input), "WHERE: ...": no result, or a mean beside sums.
  void add(const std::string& where, std::string_view text);

  bool empty() const { return given_.results.empty(); }
  GivenResults given() && { return std::move(given_); }

 private:
  Formats formats_;
  std::uint64_t n_;
  InputMemory memory_;
  GivenResults given_;
};

/// Text (whatever the extension; "-" is standard input): results as read_result takes them, separated by blanks, commas
/// (unless these are decimal points) or ends of lines; the rest of a line from # on is skipped. Columns and JSON: the
/// same, one by one. Other kinds of files: numbers, exact in the result format.
///
/// Errors: input, one line with file and line number; also for means beside other results.
GivenResults read_given_results(FileSource source, const Formats& formats, std::uint64_t n);

/// Numbers as results. Error(input), naming `source`, for one that is not exact in `format`.
GivenResults exact_results(const std::string& source, const Terms& numbers, Format format);

}  // namespace orderlab
