#include "engine/usual_queues.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/ordered_number.hpp"
#include "core/stop.hpp"
#include "order/stages/queue.hpp"
#include "orderlab/loop.hpp"

namespace orderlab {

namespace {

// Partial sums that are added in all draws together, some seconds of one core, and draws of one queue.
constexpr std::uint64_t kAdditions = 1 << 24;
constexpr std::uint64_t kFewestDraws = 8;
constexpr std::uint64_t kMostDraws = 2000;

std::vector<StageCall> replacements(const Order& order) {
  const auto& stages = order.stages();
  const auto random =
      std::count_if(stages.begin(), stages.end(), [](const StageCall& call) { return is_random(call); });
  return random == 1 ? usual_queues(stages[order.first_random()]) : std::vector<StageCall>();
}

}  // namespace

UsualArrivals sums_of_usual_queues(const Evaluator& evaluator, const TermView& terms,
                                   const UsualArrivalsOptions& options) {
  const Format format = evaluator.formats().result;
  UsualArrivals found;
  found.of_queue = true;
  const Order& order = evaluator.order();
  const std::vector<StageCall> queues = replacements(order);
  if (queues.empty()) return found;
  const std::uint64_t draws = std::clamp(
      kAdditions / queues.size() / std::max<std::uint64_t>(evaluator.random_count(), 1), kFewestDraws, kMostDraws);
  std::uint64_t done = 0;
  for (const StageCall& queue : queues) {
    if (options.stop.stop_requested()) return found;
    std::vector<StageCall> stages = order.stages();
    stages[order.first_random()] = queue;
    const auto some = Evaluator::make(Order({}, std::move(stages)), terms, evaluator.formats(), evaluator.seed());
    const auto scratch = some->make_scratch();
    for (std::uint64_t i = 0; i < (is_random(queue) ? draws : 1); ++i) {
      if (options.stop.stop_requested()) return found;
      const Evaluation sum = some->evaluate(i, *scratch);
      ++found.tried;
      if (!std::isfinite(sum.value)) continue;
      const std::int64_t key = ordered_key(format, sum.bits);
      if (!found.sums) found.sums = KeyInterval{key, key};
      found.sums->low = std::min(found.sums->low, key);
      found.sums->high = std::max(found.sums->high, key);
    }
    if (options.progress) options.progress(++done, queues.size());
  }
  return found;
}

}  // namespace orderlab
