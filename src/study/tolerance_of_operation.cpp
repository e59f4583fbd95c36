#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "engine/output_deviations.hpp"
#include "engine/rounds.hpp"
#include "operation/exact_outputs.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/tolerance.hpp"
#include "study/asked_arrival.hpp"
#include "study/reached_limit.hpp"
#include "study/tolerance_options.hpp"
#include "study/tolerance_words.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

OutputLimit limit_of(const OutputDeviation& d) {
  const auto at = [&](OutputMeasure measure) { return d[static_cast<std::size_t>(measure)]; };
  return {at(OutputMeasure::absolute), at(OutputMeasure::relative), at(OutputMeasure::ulp),
          at(OutputMeasure::magnitude), at(OutputMeasure::beside_rtol)};
}

/// The operation, or the operation in one size of a batch.
struct DrawnForm {
  std::unique_ptr<const OutputSums> sums;
  OutputYardstick yardstick;

  DrawnForm(std::unique_ptr<const OutputSums> of, const ExactRows& exact)
      : sums(std::move(of)), yardstick(*sums, exact) {}
};

/// The forms that a draw runs.
std::vector<DrawnForm> forms_of(const OperationInput& input, const ArrivalCall& arrival, std::uint64_t seed,
                                const ExactRows& exact) {
  std::vector<DrawnForm> forms;
  const auto add = [&](const std::shared_ptr<const LoweredOperation>& operation) {
    forms.emplace_back(OutputSums::make(operation, arrival, DrawPath{.seed = seed}), exact);
  };
  for (const BatchOperation& of : input.batches) add(of.operation);
  if (forms.empty()) add(input.operation);
  return forms;
}

/// Two runs of a form.
struct FormBuffers {
  std::unique_ptr<OutputSums::Scratch> scratch;
  std::vector<std::byte> one;
  std::vector<std::byte> other;

  explicit FormBuffers(const OutputSums& sums)
      : scratch(sums.make_scratch()), one(sums.result_bytes()), other(sums.result_bytes()) {}
};

void raise(OutputDeviation& largest, const OutputDeviation& deviation) {
  for (std::size_t k = 0; k < kOutputMeasures; ++k) largest[k] = std::max(largest[k], deviation[k]);
}

/// The largest deviation of a run of each form from the exact results.
OutputDeviation from_exact(const std::vector<DrawnForm>& forms, std::uint64_t i, std::vector<FormBuffers>& buffers) {
  OutputDeviation largest{};
  for (std::size_t f = 0; f < forms.size(); ++f) {
    forms[f].sums->evaluate(i, buffers[f].one, *buffers[f].scratch);
    raise(largest, forms[f].yardstick.from_reference(buffers[f].one));
  }
  return largest;
}

/// The largest deviation between two runs of a form, or of two forms.
OutputDeviation between_runs(const std::vector<DrawnForm>& forms, std::uint64_t i, std::vector<FormBuffers>& buffers) {
  OutputDeviation largest{};
  for (std::size_t f = 0; f < forms.size(); ++f) {
    forms[f].sums->evaluate(2 * i, buffers[f].one, *buffers[f].scratch);
    forms[f].sums->evaluate(2 * i + 1, buffers[f].other, *buffers[f].scratch);
    raise(largest, forms[f].yardstick.between(buffers[f].one, buffers[f].other));
    for (std::size_t g = 0; g < f; ++g)
      raise(largest, forms[g].yardstick.between(buffers[g].one, forms[f].yardstick, buffers[f].other));
  }
  return largest;
}

OutputDeviationTally draw_deviations(const std::vector<DrawnForm>& forms, Against against, std::uint64_t keep,
                                     const SampleOptions& options) {
  PerThread<std::vector<FormBuffers>> buffers([&] {
    auto made = std::make_shared<std::vector<FormBuffers>>();
    for (const DrawnForm& form : forms) made->emplace_back(*form.sums);
    return made;
  });
  return sample_in_rounds(
      options, [&] { return OutputDeviationTally(keep); },
      [&](std::uint64_t i, OutputDeviationTally& tally) {
        tally.add(against == Against::exact ? from_exact(forms, i, buffers.local())
                                            : between_runs(forms, i, buffers.local()));
      });
}

std::optional<std::uint64_t> asked_draws(const OperationToleranceRequest& request) {
  if (!request.samples) return std::nullopt;
  return *request.samples / results_per_draw(request.against);
}

}  // namespace

void validate(const OperationToleranceRequest& request) {
  const FloatEnvironment environment;
  kToleranceOperationOptions.check(request);
  const auto draws = asked_draws(request);
  const std::uint64_t least = needed_samples(request.coverage, request.confidence);
  if (draws && *draws < least)
    throw RequestError("samples", std::to_string(*request.samples),
                       "too few for " + level_in_words(request.coverage, 1, request.confidence) +
                           ", which takes at least " + std::to_string(least) +
                           (request.against == Against::run ? " pairs" : ""));
}

OperationToleranceFinding tolerance_of_operation(const OperationInput& input, const OperationToleranceRequest& request,
                                                 const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  const LoweredOperation& operation = *input.operation;
  const ArrivalCall arrival = arrival_of(operation, request.arrival);
  const Loop loop = loop_on(request.threads);
  const ExactRows exact = exact_outputs(operation, loop);
  const std::vector<DrawnForm> forms = forms_of(input, arrival, request.seed, exact);
  OperationToleranceFinding finding;
  finding.input = input.facts;
  if (operation.arrives()) finding.arrival = to_string(arrival);
  finding.coverage = request.coverage;
  finding.confidence = request.confidence;
  finding.against = request.against;
  finding.seed = request.seed;
  finding.samples_asked = request.samples;
  for (const DrawnForm& form : forms)
    finding.varying = std::max<std::uint64_t>(finding.varying, form.sums->varying().size());
  finding.rtol = usual_rtol(operation.formats.result);
  finding.batches = compare_batches(input, watch);

  const double additions = static_cast<double>(input.facts.contributions) *
                           static_cast<double>(forms.size() * results_per_draw(request.against));
  SamplingRule rule = sampling_rule(request.coverage, request.confidence, additions);
  if (const auto asked = asked_draws(request))
    rule = {*asked, limit_rank(*asked, request.coverage, request.confidence)};
  if (finding.varying == 0) rule = {1, 1};
  if (finding.varying > 0)
    call_back(watch.announces, "drawing " + std::to_string(rule.samples) +
                                   (request.against == Against::run ? " pairs of samples: " : " samples: ") +
                                   level_in_words(request.coverage, 1, request.confidence) + "; the " +
                                   rank_in_words(rule.rank) + " is the tolerance");
  const WatchedStage stage(watch, "sampling");
  SampleOptions options;
  options.end = rule.samples;
  options.threads = request.threads;
  stage.follow(options);
  const OutputDeviationTally tally = draw_deviations(forms, request.against, rule.rank, options);
  finding.draws = tally.draws();
  finding.partial = tally.draws() < rule.samples;
  finding.planned = rule.samples;
  const ReachedLimit reached = finding.varying == 0
                                   ? ReachedLimit{tally.draws(), request.coverage}
                                   : reached_limit(tally.draws(), request.coverage, 1, request.confidence);
  finding.rank = reached.rank;
  if (finding.rank == 0) return finding;
  finding.reached = reached.coverage;
  finding.limit = limit_of(tally.limit(finding.rank));
  finding.largest = limit_of(tally.limit(1));
  finding.nonfinite = static_cast<double>(tally.nonfinite()) / static_cast<double>(tally.draws());
  return finding;
}

bool has_limit(const OperationToleranceFinding& finding) {
  const FloatEnvironment environment;
  return std::isfinite(finding.limit.absolute);
}

}  // namespace orderlab::study
