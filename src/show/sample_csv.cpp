#include <cmath>

#include "show/result_table.hpp"
#include "show/sample.hpp"

namespace orderlab {

namespace {

// Edges of bins as sums, and as errors.
std::vector<ResultRow> bin_rows(const ResultCounts& counts, const ExactValue& exact) {
  const CountingFrame& frame = counts.frame();
  const int exponent = counts.bin_exponent();
  const Distribution bins = counts.bins();
  const Distribution errors = errors_of(counts, exact);
  std::vector<ResultRow> rows;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto [index, weight] = bins.values[i];
    ResultRow& row = rows.emplace_back();
    row.value = frame.center + std::ldexp(index, exponent + frame.ulp_exponent);
    row.count = static_cast<std::uint64_t>(weight);
    row.error_ulp = std::ldexp(errors.values[i].value, -frame.ulp_exponent);
    row.bin_ulp = std::ldexp(1.0, exponent);
  }
  return rows;
}

}  // namespace

std::string to_csv(const study::SampleFinding& finding) {
  const auto columns = sampled_result_columns();
  std::string csv = "order," + csv_titles(columns);
  for (const study::SampledOrder& order : finding.orders) {
    const std::vector<ResultRow> rows = order.counts.binned() ? bin_rows(order.counts, finding.input.exact)
                                                              : result_rows(order.counts.results(), finding.input);
    for (const ResultRow& row : rows) csv += "\"" + order.expression + "\"," + csv_row(columns, row);
  }
  return csv;
}

}  // namespace orderlab
