#include "show/result_fields.hpp"

#include <cmath>

#include "describe/field.hpp"
#include "describe/kinds.hpp"
#include "metrics/error_units.hpp"
#include "show/shared_fields.hpp"

namespace orderlab {

namespace {

// The number of index `i`: of orders as a text, since no number holds so many.
Value count_at(const Distribution& results, std::size_t i) {
  if (results.orders.empty()) return static_cast<std::uint64_t>(results.values[i].weight);
  return results.orders[i].str();
}

}  // namespace

std::vector<ResultRow> result_rows(const Distribution& results, const study::InputFacts& input) {
  const ErrorUnits units(input.exact, input.sum_abs, input.formats);
  const Format format = input.formats.result;
  std::vector<ResultRow> rows;
  rows.reserve(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto [value, weight] = results.values[i];
    ResultRow& row = rows.emplace_back();
    row.bits = bits_text(format, bits_of(format, value));
    row.value = value;
    row.count = count_at(results, i);
    row.weight = weight;
    if (std::isfinite(value) && units.ulp) row.error_ulp = units.ulp->of(input.exact.difference(value));
  }
  return rows;
}

ResultHistogram result_histogram(const Distribution& indices, int exponent) {
  ResultHistogram histogram{std::ldexp(1.0, exponent), {}};
  for (std::size_t i = 0; i < indices.size(); ++i)
    histogram.bins.push_back({indices.values[i].value, count_at(indices, i)});
  return histogram;
}

}  // namespace orderlab

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr Field kResultBits = value<&ResultRow::bits>("bits", k::kBits, kResultBitsHelp, {.where = Where::both});
constexpr Field kResultValue = value<&ResultRow::value>("value", k::kNumber, "The result", {.where = Where::both});
constexpr Field kResultError = value<&ResultRow::error_ulp>(
    "error_ulp", k::kNumber,
    "Result minus exact sum, in ulps of the exact sum; next to an exact sum of 0 in smallest subnormals",
    {.null = "where the result or the exact sum is not finite", .where = Where::both});

constexpr Field kSampledResultFields[] = {
    kResultBits,
    kResultValue,
    value<&ResultRow::count>("count", k::kSome, "Number of samples that gave it", {.where = Where::both}),
    kResultError,
    value<&ResultRow::bin_ulp>("bin_ulp", k::kNumber, "Width of a bin",
                               {.null = "where it is one result", .where = Where::csv}),
};
constexpr Field kEnumeratedResultFields[] = {
    kResultBits,
    kResultValue,
    value<&ResultRow::count>("count", k::kOrders, "Number of orders that give it, as decimal text",
                             {.where = Where::both}),
    value<&ResultRow::weight>("probability", k::kProbability, "Share of the orders that give it, rounded to fp64",
                              {.where = Where::both}),
    kResultError,
};

constexpr Field kBinIndex =
    value<&ResultBin::index>("index", k::kFinite, "Index k, a whole number: the bin begins at k bin_ulp");
constexpr Field kSampledBinFields[] = {
    kBinIndex,
    value<&ResultBin::count>("count", k::kCount, "Number of samples"),
};
constexpr TableOf<ResultBin> kSampledBin{{.key = "bin",
                                          .title = "Bin",
                                          .help = "Index and number of samples.",
                                          .fields = kSampledBinFields,
                                          .form = Form::array}};
constexpr Field kEnumeratedBinFields[] = {
    kBinIndex,
    value<&ResultBin::count>("count", k::kOrders, "Number of orders, as decimal text"),
};
constexpr TableOf<ResultBin> kEnumeratedBin{{.key = "enumerated_bin",
                                             .title = "Bin",
                                             .help = "Index and number of orders.",
                                             .fields = kEnumeratedBinFields,
                                             .form = Form::array}};

constexpr Field kBinWidth = value<&ResultHistogram::bin_ulp>("bin_ulp", k::kPositive,
                                                             "Width of a bin in ulps of the exact sum: a power of two");
constexpr Field kSampledHistogramFields[] = {
    kBinWidth,
    part<&ResultHistogram::bins>(
        "bins", kSampledBin,
        "The bins that are not empty, ascending: index and number of samples. Bin k holds the results whose distance "
        "from the exact sum, rounded to the result format, is from k to below k + 1 widths"),
};
constexpr Field kEnumeratedHistogramFields[] = {
    kBinWidth,
    part<&ResultHistogram::bins>(
        "bins", kEnumeratedBin,
        "The bins that are not empty, ascending: index and number of orders as decimal text. Bin k holds the results "
        "whose distance from the exact sum, rounded to the result format, is from k to below k + 1 widths"),
};

}  // namespace

constexpr TableOf<ResultRow> kSampledResult{{.key = "result",
                                             .title = "Sampled result",
                                             .help = "One result and how often it came.",
                                             .fields = kSampledResultFields,
                                             .shared = true}};
constexpr TableOf<ResultRow> kEnumeratedResult{{.key = "enumerated_result",
                                                .title = "Enumerated result",
                                                .help = "One result and its probability.",
                                                .fields = kEnumeratedResultFields,
                                                .shared = true}};

constexpr TableOf<ResultHistogram> kSampledHistogram{
    {.key = "sampled_histogram",
     .title = "Histogram",
     .help = "Results in bins of equal width, where there are more than max_distinct.",
     .fields = kSampledHistogramFields,
     .shared = true}};
constexpr TableOf<ResultHistogram> kEnumeratedHistogram{
    {.key = "histogram_of_orders",
     .title = "Enumerated histogram",
     .help = "Results of all orders in bins of equal width, where there are more than max_distinct.",
     .fields = kEnumeratedHistogramFields,
     .shared = true}};

}  // namespace orderlab::described
