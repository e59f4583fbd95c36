#include "orderlab/sample.hpp"

#include <array>
#include <span>
#include <string>

#include "core/float_environment.hpp"
#include "engine/rounds.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

ResultCounts sample(const Evaluator& evaluator, const CountingFrame& frame, const SampleOptions& options) {
  const FloatEnvironment environment;
  if (options.begin >= options.end || options.end > RandomStream::kSampleLimit)
    throw Error(ErrorKind::usage, "samples " + std::to_string(options.begin) + ":" + std::to_string(options.end) +
                                      ": the range must hold at least one sample and end by 2^48");
  PerThread<Evaluator::Scratch> scratch([&] { return evaluator.make_scratch(); });
  const Plan& plan = evaluator.plan();
  const Format coarsest = plan.coarsest();
  const auto take = [&](std::uint64_t begin, std::uint64_t end, ResultCounts& counts) {
    std::array<Evaluation, Evaluator::kTogether> buffer;
    const auto results = std::span(buffer).first(end - begin);
    evaluator.evaluate_all(begin, results, scratch.local());
    for (const Evaluation& e : results)
      counts.add(e, running_bound(e.error),
                 probabilistic_bound(e.error, coarsest, plan.path_roundings(e.height), evaluator.term_count()));
  };
  const auto empty = [&] { return ResultCounts(frame); };
  const std::uint64_t together = evaluator.together();
  if (options.end - options.begin == 1)  // without starting threads: evaluate_all() has no loops on several
    return sample_runs_on(1, options, together, empty, take);
  return sample_runs_in_rounds(options, together, empty, take);
}

}  // namespace orderlab
