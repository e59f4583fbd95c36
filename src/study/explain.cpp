#include <map>
#include <string_view>

#include "core/float_environment.hpp"
#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::study {

namespace {

constexpr std::string_view kFateTexts[] = {
    "vary: three operands or more, of several units",
    "fixed: no contribution",
    "fixed: two operands or one, and a + b = b + a",
    "fixed: all contributions come from one unit",
    "fixed: the order is fixed",
    "fixed: every partial sum is exact in any order",
    "fixed: in the first three tiles, which every look-back adds alike",
};

constexpr std::string_view kDrawnText = "vary: each run draws an order";

}  // namespace

ExplainFinding explain(const OperationInput& input, const Watch& watch) {
  const FloatEnvironment environment;
  const LoweredOperation& operation = *input.operation;
  ExplainFinding finding;
  finding.input = input.facts;
  if (operation.deterministic) {
    finding.deterministic = operation.deterministic->addition;
    finding.deterministic_source = operation.deterministic->source;
  }
  std::map<OutputFate, std::uint64_t> reasons;
  std::map<std::uint64_t, std::uint64_t> lengths;
  const LoweredOperation& sums = operation.finished ? *operation.finished->sums : operation;
  const std::size_t of_row = operation.finished ? operation.finished->elements : 1;
  const bool rows_of_terms = sums.adds_by_plans();
  for (std::size_t r = 0; r < input.facts.outputs; ++r) {
    ++reasons[fate_of(operation, r)];
    if (operation.scan) continue;  // output i of a line has i + 1
    if (operation.computed) {
      ++lengths[operation.computed->numbers];
      continue;
    }
    ++lengths[rows_of_terms ? sums.terms.length(r / of_row) : sums.rows.row_length(r / of_row)];
  }
  for (const auto& [reason, outputs] : reasons)
    finding.reasons.push_back({std::string(reason == OutputFate::varies && operation.draws_alike
                                               ? kDrawnText
                                               : kFateTexts[static_cast<std::size_t>(reason)]),
                               reason == OutputFate::varies, outputs});
  for (const auto& [length, outputs] : lengths) finding.lengths.push_back({length, outputs});
  finding.batches = compare_batches(input, watch);
  return finding;
}

}  // namespace orderlab::study
