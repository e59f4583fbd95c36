#include <algorithm>
#include <cmath>
#include <variant>

#include "operation/exact_rows.hpp"
#include "show/columns.hpp"
#include "show/operation.hpp"

namespace orderlab {

namespace {

/// One output.
struct OutputRow {
  const study::OperationSampleFinding& finding;
  std::size_t output;
  std::optional<std::size_t> place;  ///< among those that vary

  double launch() const { return finding.sums->launch().view().left(output); }
  double least() const { return place ? std::min(finding.tally.least[*place], launch()) : launch(); }
  double greatest() const { return place ? std::max(finding.tally.greatest[*place], launch()) : launch(); }
  double baseline() const { return finding.baseline_results.view().left(output); }
  std::uint64_t different() const {
    if (place) return finding.tally.different[*place];
    const Format format = finding.sums->result_format();
    return round_to_bits(format, launch()) != round_to_bits(format, baseline()) ? finding.samples : 0;
  }
  double error_ulp() const {
    return std::max(ulp_error(*finding.exact, output, least()), ulp_error(*finding.exact, output, greatest()));
  }
};

using OutputColumn = ColumnOf<OutputRow>;
constexpr OutputColumn kOutputColumns[] = {
    {"output", [](const OutputRow& row) { return Value(std::uint64_t{row.output}); }},
    {"index", [](const OutputRow& row) { return Value(index_text(row.finding.input.shape, row.output)); }},
    {"varies", [](const OutputRow& row) { return Value(std::uint64_t{row.place ? 1U : 0U}); }},
    {"exact", [](const OutputRow& row) { return Value(row.finding.exact->high[row.output]); }},
    {"baseline", [](const OutputRow& row) { return Value(row.baseline()); }},
    {"launch", [](const OutputRow& row) { return Value(row.launch()); }},
    {"least", [](const OutputRow& row) { return Value(row.least()); }},
    {"greatest", [](const OutputRow& row) { return Value(row.greatest()); }},
    {"different", [](const OutputRow& row) { return Value(row.different()); }},
    {"samples", [](const OutputRow& row) { return Value(row.finding.samples); }},
    {"max_error_ulp", [](const OutputRow& row) { return Value(row.error_ulp()); }},
};

double number_in(const Value& cell) {
  if (const auto* count = std::get_if<std::uint64_t>(&cell)) return static_cast<double>(*count);
  return std::get<double>(cell);
}

// Calls use(row) for each output.
template <class Use>
void for_each_output(const study::OperationSampleFinding& finding, Use use) {
  const auto varying = finding.sums->varying();
  std::size_t next = 0;
  for (std::size_t r = 0; r < finding.input.outputs; ++r) {
    OutputRow row{finding, r, std::nullopt};
    if (next < varying.size() && varying[next] == r) row.place = next++;
    use(row);
  }
}

}  // namespace

std::string index_text(const Shape& shape, std::size_t r) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0; r /= shape[d])
    text = std::to_string(r % shape[d]) + (text.empty() ? "" : ",") + text;
  return text.empty() ? "0" : text;
}

std::string to_csv(const study::OperationSampleFinding& finding) {
  std::string csv = csv_titles<OutputRow>(kOutputColumns);
  for_each_output(finding, [&](const OutputRow& row) { csv += csv_row<OutputRow>(kOutputColumns, row); });
  return csv;
}

std::vector<OutputNumbers> output_numbers(const study::OperationSampleFinding& finding) {
  std::vector<OutputNumbers> columns;
  std::vector<const OutputColumn*> shown;
  for (const OutputColumn& column : kOutputColumns) {
    if (column.name == "output" || column.name == "index" || column.name == "samples") continue;
    shown.push_back(&column);
    columns.push_back({std::string(column.name), {}});
    columns.back().values.reserve(finding.input.outputs);
  }
  for_each_output(finding, [&](const OutputRow& row) {
    for (std::size_t c = 0; c < shown.size(); ++c) columns[c].values.push_back(number_in(shown[c]->cell(row)));
  });
  return columns;
}

}  // namespace orderlab
