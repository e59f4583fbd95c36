// The results that samples or all orders gave, field by field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "describe/table.hpp"
#include "orderlab/distribution.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/value.hpp"

namespace orderlab {

/// A result with its weight.
struct ResultRow {
  std::string bits;  ///< empty for a bin
  double value = 0;  ///< the lower edge of a bin
  Value count;       ///< samples, or orders as a text
  double weight = 0;
  std::optional<double> error_ulp;
  std::optional<double> bin_ulp = {};  ///< width of a bin
};

/// One for each of `results`.
std::vector<ResultRow> result_rows(const Distribution& results, const study::InputFacts& input);

/// Results in bins of equal width.
struct ResultBin {
  double index;
  Value count;  ///< samples, or orders as a text
};
struct ResultHistogram {
  double bin_ulp;
  std::vector<ResultBin> bins;
};

/// `indices` of bins of width 2^exponent.
ResultHistogram result_histogram(const Distribution& indices, int exponent);

}  // namespace orderlab

namespace orderlab::described {

/// Results of samples, and results of all orders; both are rows of CSV too.
extern const TableOf<ResultRow> kSampledResult, kEnumeratedResult;
extern const TableOf<ResultHistogram> kSampledHistogram, kEnumeratedHistogram;

inline constexpr std::string_view kResultsHelp = "All results, ascending by value, -0 before +0";
inline constexpr More kNotBinned{.absent = "where there are more than max_distinct"};
inline constexpr More kBinned{.absent = "where they are listed"};
inline constexpr std::string_view kListedOrBinned =
    R"({"oneOf": [{"required": ["results"]}, {"required": ["histogram"]}]})";

}  // namespace orderlab::described
