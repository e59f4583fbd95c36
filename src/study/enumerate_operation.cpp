#include <algorithm>
#include <cmath>

#include "core/float_environment.hpp"
#include "engine/arena.hpp"
#include "engine/output_outcomes.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/operation_outcomes.hpp"
#include "study/operation_baseline.hpp"
#include "study/output_lists.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// Sums in the order of the outputs, so that no thread count changes a bit.
struct Expected {
  double baseline = 0;
  double launch = 0;
};

Expected add_up(OperationEnumerateFinding& finding, const Terms& baseline) {
  const OutputSums& sums = *finding.sums;
  const ExactRows& exact = *finding.exact;
  const Format format = sums.result_format();
  const auto varying = sums.varying();
  Expected expected;
  std::vector<double> counts;
  std::size_t next = 0;
  for (std::size_t r = 0; r < finding.input.outputs; ++r) {
    const std::uint64_t launch = round_to_bits(format, sums.launch().view().left(r));
    const std::uint64_t base = round_to_bits(format, baseline.view().left(r));
    const bool varies = next < varying.size() && varying[next] == r;
    std::vector<OutputResult> fixed;
    if (!varies) fixed.push_back({launch, 1});
    const std::vector<OutputResult>& results = varies ? finding.results[next++] : fixed;
    if (results.empty()) {
      if (finding.not_enumerated++ == 0) finding.first_not_enumerated = r;
      continue;
    }
    expected.baseline += probability_of_other(results, base);
    expected.launch += probability_of_other(results, launch);
    counts.push_back(static_cast<double>(results.size()));
    if (results.size() > 1) ++finding.several;
    if (results.size() > finding.most_results) {
      finding.most_results = results.size();
      finding.most_results_output = r;
    }
    for (const OutputResult& result : results) {
      const double value = value_of_bits(format, result.bits);
      const double error = ulp_error(exact, r, value);
      if (error > finding.largest_error) {
        finding.largest_error = error;
        finding.largest_error_output = r;
      }
    }
    const double movement = movement_ulp(exact, r, format, results);
    if (movement > finding.largest_movement) {
      finding.largest_movement = movement;
      finding.largest_movement_output = r;
    }
  }
  finding.by_results = binned(counts, 0, {1, 2, 3, 4, 8, 16, 64, 1024, std::numeric_limits<double>::infinity()});
  return expected;
}

}  // namespace

std::optional<OperationEnumerateFinding> enumerate_operation(const OperationInput& input,
                                                             const OperationEnumerateRequest& request,
                                                             const Watch& watch) {
  const FloatEnvironment environment;
  const LoweredOperation& operation = *input.operation;
  if (request.baseline && request.baseline->is == OutputBaseline::run)
    throw RequestError("baseline", "run", "is not a fixed result; take deterministic, launch or exact");
  OperationEnumerateFinding finding;
  finding.input = input.facts;
  const AskedBaseline asked = chosen_baseline(request.baseline, operation);
  finding.baseline = asked.is;
  finding.baseline_text = text_of(asked);
  finding.baseline_addition = addition_of(asked, operation);
  const Loop loop = loop_on(request.threads);
  finding.sums = OutputSums::make(input.operation, uniform_arrivals(), {});
  if (const std::string why = OutputOutcomeFinder(*finding.sums).obstacle(); !why.empty())
    throw Error(ErrorKind::unsupported, input.facts.operation + ": cannot enumerate its orders: " + why);
  finding.exact = std::make_shared<const ExactRows>(exact_outputs(operation, loop));
  finding.varying = finding.sums->varying().size();
  if (!unless_stopped([&] {
        list_outcomes(*finding.sums, request.threads, watch, finding.results);
        return true;
      }))
    return std::nullopt;
  const Terms baseline = results_of(asked, *finding.sums, *finding.exact, loop);
  const Expected expected = add_up(finding, baseline);
  const auto outputs = static_cast<double>(input.facts.outputs);
  const auto open = static_cast<double>(finding.not_enumerated);
  finding.vc_low = expected.baseline / outputs;
  finding.vc_high = (expected.baseline + open) / outputs;
  finding.vc_order_low = expected.launch / outputs;
  finding.vc_order_high = (expected.launch + open) / outputs;
  return finding;
}

}  // namespace orderlab::study
