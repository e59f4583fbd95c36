#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "operation/exact_outputs.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/study/operation.hpp"
#include "study/asked_arrival.hpp"
#include "study/operation_baseline.hpp"
#include "study/output_history.hpp"
#include "study/output_lists.hpp"
#include "study/sample_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

RunSummary over_samples(const std::vector<OutputDifferences>& samples, double (*of)(const OutputDifferences&)) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const OutputDifferences& sample : samples) values.push_back(of(sample));
  return summary_of_runs(std::move(values));
}

RunSummary divided(RunSummary all, double by) {
  all.mean /= by;
  if (all.sd) *all.sd /= by;
  all.min /= by;
  all.low /= by;
  all.median /= by;
  all.high /= by;
  all.max /= by;
  return all;
}

void count_distinct(const std::vector<OutputDifferences>& samples, OperationSampleFinding& finding) {
  std::map<std::array<std::uint64_t, 2>, std::uint64_t> counts;
  for (const OutputDifferences& sample : samples) ++counts[sample.hash];
  finding.distinct = counts.size();
  std::uint64_t once = 0;
  for (const auto& [hash, count] : counts) once += count == 1 ? 1U : 0U;
  if (finding.varying > 0) finding.unseen_mass = static_cast<double>(once) / static_cast<double>(samples.size());
}

std::vector<OutputPart> parts_of(const std::vector<OutputHistory>& outputs) {
  constexpr std::size_t kParts = 10;
  const std::size_t count = std::min(kParts, outputs.size());
  std::vector<OutputPart> parts;
  for (std::size_t i = 0; i < count; ++i) {
    OutputPart part;
    part.first = i * outputs.size() / count;
    part.outputs = (i + 1) * outputs.size() / count - part.first;
    std::vector<double> movements;
    for (std::size_t r = part.first; r < part.first + part.outputs; ++r) {
      part.vc += outputs[r].different;
      movements.push_back(outputs[r].movement);
    }
    part.vc /= static_cast<double>(part.outputs);
    const auto middle = movements.begin() + static_cast<std::ptrdiff_t>((movements.size() - 1) / 2);
    std::nth_element(movements.begin(), middle, movements.end());
    part.movement = *middle;
    parts.push_back(part);
  }
  return parts;
}

void make_histograms(OperationSampleFinding& finding) {
  const std::vector<OutputHistory> outputs = output_histories(finding);
  std::vector<double> frequencies;
  std::vector<double> movements;
  std::uint64_t never = 0;
  for (const OutputHistory& output : outputs) {
    if (output.varies || output.different > 0)
      frequencies.push_back(output.different);
    else
      ++never;
    if (output.varies) movements.push_back(output.movement);
  }
  finding.by_frequency = binned(frequencies, never, {0, 0.01, 0.1, 0.5, 0.9, 0.99, 1});
  finding.by_movement = binned(movements, outputs.size() - movements.size(),
                               {0, 1, 2, 4, 8, 16, 64, 1024, std::numeric_limits<double>::infinity()});
  finding.by_place = parts_of(outputs);
}

/// Samples that a thread draws before it compares them, all at once; each has `bytes` of results.
std::uint64_t samples_together(std::uint64_t bytes, std::uint64_t of_a_thread) {
  constexpr std::uint64_t kMost = 8;  // more would not be much faster
  constexpr std::uint64_t kMemory = std::uint64_t{1} << 25;
  return std::clamp<std::uint64_t>(std::min(kMemory / std::max<std::uint64_t>(1, bytes), of_a_thread), 1, kMost);
}

/// Buffers of one thread for `together` samples.
struct Buffers {
  std::unique_ptr<OutputSums::Scratch> scratch;
  std::vector<std::vector<std::byte>> results;
  std::vector<std::vector<std::byte>> against;  ///< the runs that they are compared with, if any
  OutputTally tally;                            ///< tally of the round

  Buffers(const OutputSums& sums, std::uint64_t together, bool in_pairs)
      : scratch(sums.make_scratch()),
        results(together, std::vector<std::byte>(sums.result_bytes())),
        against(together, std::vector<std::byte>(in_pairs ? sums.result_bytes() : 0)),
        tally(sums) {}
};

/// An operation that does not vary is evaluated once.
std::uint64_t wanted_samples(const OperationSampleFinding& finding) {
  return finding.varying == 0 ? 1 : finding.samples_asked;
}

// In rounds, each sample on any thread: counts of outputs merge in any order, and records of samples have their places.
// A round that is stopped is left out.
std::vector<OutputDifferences> draw_samples(OperationSampleFinding& finding, const OutputComparison& comparison,
                                            const OperationSampleRequest& request, const Watch& watch) {
  using DrawClock = std::chrono::steady_clock;
  // Longer rounds would lose more to a stop, shorter ones merge more tallies.
  constexpr std::chrono::milliseconds kRound{50};
  constexpr int kRoundsOfTime = 8;  // a round may take this part of the time so far: 1/8
  constexpr std::uint64_t kMostOfThread = 1024;
  const OutputSums& sums = *finding.sums;
  const std::uint64_t wanted = wanted_samples(finding);
  std::vector<OutputDifferences> samples;
  const WatchedStage stage(watch, "sampling");
  SampleOptions options;
  stage.follow(options);
  const bool in_pairs = finding.baseline == OutputBaseline::run;
  const auto threads_wanted = static_cast<std::uint64_t>(threads_used(request.threads));
  const std::uint64_t together =
      samples_together(sums.result_bytes() * (in_pairs ? 2 : 1), (wanted + threads_wanted - 1) / threads_wanted);
  PerThread<Buffers> buffers([&] { return std::make_shared<Buffers>(sums, together, in_pairs); });
  const auto draw = [&](std::uint64_t first, std::uint64_t count) {
    Buffers& mine = buffers.local();
    std::vector<ComparedSample> compared;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t i = first + k;
      if (in_pairs) sums.evaluate(2 * i, mine.against[k], *mine.scratch);
      sums.evaluate(in_pairs ? 2 * i + 1 : i, mine.results[k], *mine.scratch);
      compared.push_back({mine.results[k], mine.against[k]});
      if (request.keep_results) finding.results[i] = mine.results[k];
    }
    comparison.compare(compared, mine.tally, std::span(samples).subspan(first, count));
  };
  with_threads(request.threads, [&](std::size_t threads) {
    std::uint64_t of_thread = 1;
    const auto begin = DrawClock::now();
    while (samples.size() < wanted && !watch.stop.stop_requested()) {
      const std::uint64_t first = samples.size();
      const std::uint64_t next = std::min<std::uint64_t>(wanted, first + of_thread * threads);
      const auto resize = [&](std::uint64_t count) {
        samples.resize(count);
        if (request.keep_results) finding.results.resize(count);
      };
      resize(next);
      const std::uint64_t most = std::min<std::uint64_t>(together, (next - first + threads - 1) / threads);
      const auto start = DrawClock::now();
      const bool done = unless_stopped([&] {
                          parallel_for(0, (next - first + most - 1) / most, Grain::apart, [&](std::uint64_t part) {
                            const std::uint64_t begin_of_part = first + part * most;
                            draw(begin_of_part, std::min(most, next - begin_of_part));
                          });
                          return true;
                        }).has_value();
      if (!done) {
        resize(first);
        break;
      }
      buffers.each([&](Buffers& mine) { finding.tally.absorb(mine.tally); });
      const auto now = DrawClock::now();
      const auto long_enough = std::max<DrawClock::duration>(kRound, (now - begin) / kRoundsOfTime);
      if (2 * (now - start) < long_enough) of_thread = std::min(2 * of_thread, kMostOfThread);
      if (options.progress) options.progress(next, wanted);
    }
    return 0;
  });
  return samples;
}

void summarize(const std::vector<OutputDifferences>& samples, OperationSampleFinding& finding) {
  finding.samples = samples.size();
  finding.partial = samples.size() < wanted_samples(finding);
  using Sample = OutputDifferences;
  const auto outputs = static_cast<double>(finding.input.outputs);
  const auto count = [&](double (*of)(const Sample&)) { return divided(over_samples(samples, of), outputs); };
  finding.vc = count([](const Sample& s) { return static_cast<double>(s.bits); });
  finding.vc_values = count([](const Sample& s) { return static_cast<double>(s.values); });
  finding.vc_order = count([](const Sample& s) { return static_cast<double>(s.from_launch); });
  finding.vermv_paper = over_samples(samples, [](const Sample& s) { return s.vermv_paper; });
  finding.vermv_code = over_samples(samples, [](const Sample& s) { return s.vermv_code; });
  finding.vermv_robust = over_samples(samples, [](const Sample& s) { return s.vermv_robust; });
  finding.largest_difference = over_samples(samples, [](const Sample& s) { return s.largest_difference; });
  finding.largest_error = over_samples(samples, [](const Sample& s) { return s.largest_error; });
  std::vector<double> first;
  for (const Sample& sample : samples)
    if (sample.first < finding.input.outputs) first.push_back(static_cast<double>(sample.first));
  if (!first.empty()) finding.first_different = summary_of_runs(std::move(first));
  count_distinct(samples, finding);
  make_histograms(finding);
}

}  // namespace

void validate(const OperationSampleRequest& request) {
  const FloatEnvironment environment;
  kSampleOperationOptions.check(request);
}

std::optional<OperationSampleFinding> sample_operation(const OperationInput& input,
                                                       const OperationSampleRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  const LoweredOperation& operation = *input.operation;
  const AskedBaseline baseline = chosen_baseline(request.baseline, operation);
  const ArrivalCall arrival = arrival_of(operation, request.arrival);
  const Loop loop = loop_on(request.threads);
  std::shared_ptr<const OutputSums> sums = OutputSums::make(input.operation, arrival, DrawPath{.seed = request.seed});
  const auto exact = std::make_shared<const ExactRows>(exact_outputs(operation, loop));
  OperationSampleFinding finding(*sums);
  finding.input = input.facts;
  finding.sums = sums;
  finding.exact = exact;
  finding.baseline = baseline.is;
  finding.baseline_text = text_of(baseline);
  finding.baseline_addition = addition_of(baseline, operation);
  finding.baseline_results = results_of(baseline, *sums, *exact, loop);
  finding.seed = request.seed;
  finding.samples_asked = request.samples;
  finding.varying = sums->varying().size();
  finding.can_vary = static_cast<double>(finding.varying) / static_cast<double>(input.facts.outputs);
  if (operation.arrives()) finding.arrival = to_string(arrival);
  if (request.keep_results)
    require_memory(static_cast<double>(sums->result_bytes()) * static_cast<double>(request.samples));
  const OutputComparison comparison(*sums, finding.baseline_results, *exact);
  const std::vector<OutputDifferences> samples = draw_samples(finding, comparison, request, watch);
  if (samples.empty()) return std::nullopt;
  summarize(samples, finding);
  finding.offset = comparison.offset();
  finding.offset_vc = static_cast<double>(finding.offset.bits) / static_cast<double>(input.facts.outputs);
  for (const double high : exact->high) finding.nonfinite_exact += std::isfinite(high) ? 0U : 1U;
  if (!finding.partial && arrival.model->uniform && baseline.is != OutputBaseline::run)
    finding.vc_expected = quick_expected_share(*sums, finding.baseline_results, request.threads, watch);
  if (auto sizes = unless_stopped([&] { return compare_batches(input, watch); }))
    finding.batches = *std::move(sizes);
  else
    finding.partial = true;
  if (!finding.vc_expected && watch.stop.stop_requested()) finding.partial = true;  // it may have been cut off
  return finding;
}

}  // namespace orderlab::study
