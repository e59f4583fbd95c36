#include <cmath>

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

struct DrawBuffers {
  std::unique_ptr<OutputSums::Scratch> scratch;
  std::vector<std::byte> one;
  std::vector<std::byte> other;

  explicit DrawBuffers(const OutputSums& sums)
      : scratch(sums.make_scratch()), one(sums.result_bytes()), other(sums.result_bytes()) {}
};

OutputDeviationTally draw_deviations(const OutputSums& sums, const OutputYardstick& yardstick, Against against,
                                     std::uint64_t keep, const SampleOptions& options) {
  PerThread<DrawBuffers> buffers([&] { return std::make_shared<DrawBuffers>(sums); });
  return sample_in_rounds(
      options, [&] { return OutputDeviationTally(keep); },
      [&](std::uint64_t i, OutputDeviationTally& tally) {
        DrawBuffers& mine = buffers.local();
        if (against == Against::exact) {
          sums.evaluate(i, mine.one, *mine.scratch);
          tally.add(yardstick.from_reference(mine.one));
          return;
        }
        sums.evaluate(2 * i, mine.one, *mine.scratch);
        sums.evaluate(2 * i + 1, mine.other, *mine.scratch);
        tally.add(yardstick.between(mine.one, mine.other));
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
  const auto sums = OutputSums::make(input.operation, arrival, DrawPath{.seed = request.seed});
  const ExactRows exact = exact_outputs(operation, loop);
  const OutputYardstick yardstick(*sums, exact);
  OperationToleranceFinding finding;
  finding.input = input.facts;
  if (operation.arrives()) finding.arrival = to_string(arrival);
  finding.coverage = request.coverage;
  finding.confidence = request.confidence;
  finding.against = request.against;
  finding.seed = request.seed;
  finding.samples_asked = request.samples;
  finding.varying = sums->varying().size();
  finding.rtol = usual_rtol(sums->result_format());

  SamplingRule rule = sampling_rule(request.coverage, request.confidence);
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
  const OutputDeviationTally tally = draw_deviations(*sums, yardstick, request.against, rule.rank, options);
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
