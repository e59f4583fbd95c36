// What the outputs of an operation can be.
#include <fmt/format.h>

#include <cmath>

#include "operation/exact_rows.hpp"
#include "show/colors.hpp"
#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/operation_outcomes.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string expectation(double low, double high) {
  return low == high ? fmt::format("{}, exactly", number(low, 8))
                     : fmt::format("from {} to {}", number(low, 8), number(high, 8));
}

std::string place_of_output(const study::OperationFacts& input, std::uint64_t r) {
  return "[" + index_text(input.shape, r) + "]";
}

/// One result of one output.
struct OutcomeRow {
  const study::OperationEnumerateFinding& finding;
  std::size_t output;
  const OutputResult& result;

  double value() const { return value_of_bits(finding.sums->result_format(), result.bits); }
};

using OutcomeColumn = ColumnOf<OutcomeRow>;
constexpr OutcomeColumn kOutcomeColumns[] = {
    {"output", [](const OutcomeRow& row) { return Value(std::uint64_t{row.output}); }},
    {"index", [](const OutcomeRow& row) { return Value(index_text(row.finding.input.shape, row.output)); }},
    {"bits",
     [](const OutcomeRow& row) { return Value(bits_text(row.finding.sums->result_format(), row.result.bits)); }},
    {"value", [](const OutcomeRow& row) { return Value(row.value()); }},
    {"probability", [](const OutcomeRow& row) { return Value(row.result.probability); }},
    {"error_ulp",
     [](const OutcomeRow& row) {
       const ExactRows& exact = *row.finding.exact;
       return Value(((row.value() - exact.high[row.output]) - exact.low[row.output]) / exact.ulp[row.output]);
     }},
};

}  // namespace

std::string to_text(const study::OperationEnumerateFinding& finding, const TextStyle& style) {
  const study::OperationFacts& input = finding.input;
  std::string head = operation_head(input, style.color);
  head += finding.sums->operation().draws_alike
              ? "all orders that a run may draw, equally likely\n"
              : fmt::format("all orders in which {} arrive, equally likely\n", plural(input.units, "unit"));
  head += fmt::format("baseline: {}: {}\n", study::name_of(finding.baseline), finding.baseline_addition);
  std::string text = wrapped(head, style.width) + "\n";
  text += bins_table("results of an output", finding.by_results, "", 1, input.outputs, style) + "\n";
  std::string lines = fmt::format("Mean of Vc, the share of outputs that differ from the baseline: {}.\n",
                                  expectation(finding.vc_low, finding.vc_high));
  lines +=
      fmt::format("The same against launch order: {}.\n", expectation(finding.vc_order_low, finding.vc_order_high));
  if (finding.not_enumerated > 0)
    lines +=
        fmt::format("{} not enumerated, the first {}: too many units for all orders.\n",
                    plural(finding.not_enumerated, "output"), place_of_output(input, finding.first_not_enumerated));
  if (finding.several > 0) {
    lines += fmt::format("Most results: {} at {}. Largest movement: {} ulp at {}. Largest error: {} ulp at {}.\n",
                         finding.most_results, place_of_output(input, finding.most_results_output),
                         number(finding.largest_movement), place_of_output(input, finding.largest_movement_output),
                         number(finding.largest_error), place_of_output(input, finding.largest_error_output));
  }
  text += wrapped(lines, style.width) + "\n";
  const std::string conclusion =
      fmt::format("{} of {} can have more than one result.", finding.several, plural(input.outputs, "output"));
  return text + wrapped(bold(conclusion, style.color) + "\n", style.width);
}

std::string to_json(const study::OperationEnumerateFinding& finding) {
  Json json = json_head("enumerate");
  Json config = operation_config_json(finding.input);
  config["baseline"] = study::name_of(finding.baseline);
  json["config"] = std::move(config);
  add_operation(json, finding.input);
  json["baseline"] = study::name_of(finding.baseline);
  const bool exact = finding.vc_low == finding.vc_high;
  json["vc"] = {{"exact_expectation", exact ? json_number(finding.vc_low) : Json(nullptr)},
                {"low", json_number(finding.vc_low)},
                {"high", json_number(finding.vc_high)}};
  json["vc_of_order"] = {{"low", json_number(finding.vc_order_low)}, {"high", json_number(finding.vc_order_high)}};
  json["several_results"] = finding.several;
  json["not_enumerated"] = finding.not_enumerated;
  json["outputs_by_results"] = bins_json(finding.by_results);
  json["most_results"] = {{"results", finding.most_results}, {"output", finding.most_results_output}};
  json["largest_movement"] = {{"ulp", json_number(finding.largest_movement)},
                              {"output", finding.largest_movement_output}};
  json["largest_error"] = {{"ulp", json_number(finding.largest_error)}, {"output", finding.largest_error_output}};
  return json_document(json);
}

std::string to_csv(const study::OperationEnumerateFinding& finding) {
  std::string csv = csv_titles<OutcomeRow>(kOutcomeColumns);
  const auto varying = finding.sums->varying();
  for (std::size_t i = 0; i < varying.size(); ++i)
    for (const OutputResult& result : finding.results[i])
      csv += csv_row<OutcomeRow>(kOutcomeColumns, {finding, varying[i], result});
  return csv;
}

}  // namespace orderlab
