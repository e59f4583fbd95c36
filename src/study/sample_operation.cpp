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

/// Splits outputs, added in order, into at most ten parts.
class OutputParts {
 public:
  explicit OutputParts(std::size_t outputs) : outputs_(outputs) {}

  void add(const OutputHistory& output) {
    part_.vc += output.different;
    movements_.push_back(output.movement);
    const std::size_t count = std::min(kParts, outputs_);
    if (part_.first + movements_.size() == (parts_.size() + 1) * outputs_ / count) end_part();
  }

  std::vector<OutputPart> take() { return std::move(parts_); }

 private:
  static constexpr std::size_t kParts = 10;

  void end_part() {
    part_.outputs = movements_.size();
    part_.vc /= static_cast<double>(part_.outputs);
    const auto middle = movements_.begin() + static_cast<std::ptrdiff_t>((movements_.size() - 1) / 2);
    std::nth_element(movements_.begin(), middle, movements_.end());
    part_.movement = *middle;
    parts_.push_back(part_);
    part_ = {.first = part_.first + part_.outputs};
    movements_.clear();
  }

  std::size_t outputs_;
  std::vector<OutputPart> parts_;
  OutputPart part_;                ///< that is not yet full
  std::vector<double> movements_;  ///< of its outputs
};

void make_histograms(OperationSampleFinding& finding) {
  std::vector<double> frequencies;
  std::vector<double> movements;
  std::uint64_t never = 0;
  OutputParts parts(finding.input.outputs);
  each_output_history(finding, [&](const OutputHistory& output) {
    if (output.varies || output.different > 0)
      frequencies.push_back(output.different);
    else
      ++never;
    if (output.varies) movements.push_back(output.movement);
    parts.add(output);
  });
  finding.by_frequency = binned(frequencies, never, {0, 0.01, 0.1, 0.5, 0.9, 0.99, 1});
  finding.by_movement = binned(movements, finding.input.outputs - movements.size(),
                               {0, 1, 2, 4, 8, 16, 64, 1024, std::numeric_limits<double>::infinity()});
  finding.by_place = parts.take();
}

/// What a thread draws and compares at once.
class AtOnce {
 public:
  AtOnce(const OutputSums& sums, bool in_pairs, std::uint64_t wanted, std::uint64_t threads) : runs_(in_pairs ? 2 : 1) {
    constexpr std::uint64_t kMost = 16;  // samples; more would not be much faster
    constexpr std::uint64_t kMemory = std::uint64_t{1} << 25;
    std::size_t outputs = 0;  // of the longest part
    for (std::size_t begin = 0; begin < sums.varying().size(); begin = sums.part_end(begin))
      outputs = std::max(outputs, sums.part_end(begin) - begin);
    const std::uint64_t bytes = runs_ * outputs * info(sums.result_format()).held_bytes();
    const std::uint64_t of_a_thread = (wanted + threads - 1) / threads;
    samples_ = std::clamp<std::uint64_t>(std::min(kMemory / std::max<std::uint64_t>(1, bytes), of_a_thread), 1, kMost);
    memory_bytes_ = samples_ * bytes + sums.varying().size() * OutputTally::kOutputBytes;
  }

  std::uint64_t samples() const { return samples_; }
  std::uint64_t runs() const { return runs_; }                  ///< of a sample
  std::uint64_t memory_bytes() const { return memory_bytes_; }  ///< of results and counts

 private:
  std::uint64_t runs_;
  std::uint64_t samples_;
  std::uint64_t memory_bytes_;
};

/// Buffers of one thread.
struct Buffers {
  std::unique_ptr<OutputSums::Scratch> scratch;
  OutputTally tally;  ///< tally of the round

  explicit Buffers(const OutputSums& sums) : scratch(sums.make_scratch()), tally(sums) {}
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
  constexpr std::chrono::milliseconds kRound{100};
  constexpr int kRoundsOfTime = 8;  // a round may take this part of the time so far: 1/8
  constexpr std::uint64_t kMostOfThread = 1024;
  constexpr std::uint64_t kFirstWork = std::uint64_t{1} << 23;  // outputs or contributions, in the first round
  const OutputSums& sums = *finding.sums;
  const std::uint64_t wanted = wanted_samples(finding);
  std::vector<OutputDifferences> samples;
  const WatchedStage stage(watch, "sampling");
  SampleOptions options;
  stage.follow(options);
  const auto threads_wanted = std::min(static_cast<std::uint64_t>(threads_used(request.threads)), wanted);
  const AtOnce at_once(sums, finding.baseline == OutputBaseline::run, wanted, threads_wanted);
  const std::uint64_t all_kept = request.keep_results ? request.samples : 0;
  require_memory(static_cast<double>(all_kept) * static_cast<double>(sums.result_bytes()) +
                 static_cast<double>(threads_wanted) * static_cast<double>(at_once.memory_bytes()));
  PerThread<Buffers> buffers([&] { return std::make_shared<Buffers>(sums); });
  const auto draw = [&](std::uint64_t first, std::uint64_t count) {
    Buffers& mine = buffers.local();
    const std::uint64_t runs = at_once.runs();
    SampleComparison together(comparison, mine.tally, std::span(samples).subspan(first, count));
    std::vector<ComparedSample> compared(count);
    sums.evaluate_parts(runs * first, runs * count, *mine.scratch, [&](auto results) {
      for (std::uint64_t k = 0; k < count; ++k) {
        compared[k].results = results[runs * k + runs - 1];
        if (runs == 2) compared[k].against = results[runs * k];
        if (!request.keep_results) continue;
        std::vector<std::byte>& kept = finding.results[first + k];
        if (kept.empty()) kept.reserve(sums.result_bytes());
        kept.insert(kept.end(), compared[k].results.begin(), compared[k].results.end());
      }
      together.add(compared);
    });
    together.finish();
  };
  with_threads(request.threads, [&](std::size_t threads) {
    std::uint64_t of_thread = std::clamp<std::uint64_t>(
        kFirstWork / std::max<std::uint64_t>(finding.input.outputs, finding.input.contributions), 1, at_once.samples());
    const auto begin = DrawClock::now();
    while (samples.size() < wanted && !watch.stop.stop_requested()) {
      const std::uint64_t first = samples.size();
      const std::uint64_t next = std::min<std::uint64_t>(wanted, first + of_thread * threads);
      const auto resize = [&](std::uint64_t count) {
        samples.resize(count);
        if (request.keep_results) finding.results.resize(count);
      };
      resize(next);
      const std::uint64_t most = std::min<std::uint64_t>(at_once.samples(), (next - first + threads - 1) / threads);
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
