#include "study/kept_samples.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "engine/task_list.hpp"
#include "orderlab/error.hpp"

namespace orderlab::study {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kStepSeconds = 2;  // threads wait for the last one at the end of each
constexpr double kKeepSeconds = 10;
constexpr double kMostGrowth = 16;  // the first step is one sample, which says little of the others

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Steps {
 public:
  Steps(const Evaluator& evaluator, const SampleOptions& options, CountedSamples& all,
        const std::function<void(const CountedSamples&)>& keep)
      : evaluator_(evaluator),
        options_(options),
        all_(all),
        keep_(keep),
        least_step_(2 * static_cast<std::uint64_t>(threads_used(options.threads))) {}

  void draw(const SampleRanges& missing) {
    total_ = missing.size();
    for (const SampleRange& range : missing.ranges())
      if (!draw(range)) break;
    if (new_ && keep_) keep_(all_);
  }

 private:
  // False when stopped.
  bool draw(const SampleRange& range) {
    for (std::uint64_t next = range.first; next < range.second;) {
      const std::uint64_t end = keep_ ? next + std::min(step_, range.second - next) : range.second;
      const auto start = Clock::now();
      const std::uint64_t drawn = draw_step(next, end);
      if (drawn < end - next) return false;
      next = end;
      const double wanted = static_cast<double>(drawn) * kStepSeconds / std::max(seconds_since(start), 1e-6);
      const double most = kMostGrowth * static_cast<double>(step_);
      step_ = std::max(least_step_, static_cast<std::uint64_t>(std::min(wanted, most)));
      if (keep_ && seconds_since(kept_) > kKeepSeconds) {
        keep_(all_);
        kept_ = Clock::now();
        new_ = false;
      }
    }
    return true;
  }

  std::uint64_t draw_step(std::uint64_t begin, std::uint64_t end) {
    SampleOptions step = options_;
    step.begin = begin;
    step.end = end;
    if (options_.progress)
      step.progress = [&](std::uint64_t done, std::uint64_t) { options_.progress(done_ + done, total_); };
    const ResultCounts counts = sample(evaluator_, all_.counts.frame(), step);
    all_.counts.merge(counts);
    all_.samples.add(SampleRange(begin, begin + counts.samples()));
    done_ += counts.samples();
    new_ = new_ || counts.samples() > 0;
    return counts.samples();
  }

  const Evaluator& evaluator_;
  const SampleOptions& options_;
  CountedSamples& all_;
  const std::function<void(const CountedSamples&)>& keep_;
  std::uint64_t least_step_;  ///< after the first: enough for every thread
  std::uint64_t step_ = 1;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  Clock::time_point kept_ = Clock::now();
  bool new_ = false;
};

}  // namespace

CountedSamples draw_missing(const Evaluator& evaluator, const CountingFrame& frame, const SampleOptions& options,
                            const CountedSamples* known, const std::function<void(const CountedSamples&)>& keep) {
  CountedSamples all{{}, ResultCounts(frame)};
  if (known != nullptr && !known->samples.empty()) {
    if (!(known->counts.frame() == frame))
      throw Error(ErrorKind::input,
                  "known samples: their counts are of other terms, another format or another limit of "
                  "distinct results");
    all = *known;
  }
  Steps(evaluator, options, all, keep).draw(all.samples.missing_from({options.begin, options.end}));
  return all;
}

}  // namespace orderlab::study
