#include "engine/usual_queues.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/ordered_number.hpp"
#include "order/stages/queue.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

namespace {

// Partial sums that are added in all draws together, some seconds, and draws of one queue.
constexpr std::uint64_t kAdditions = 1 << 27;
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
    std::vector<StageCall> stages = order.stages();
    stages[order.first_random()] = queue;
    const auto some = Evaluator::make(Order({}, std::move(stages)), terms, evaluator.formats(), evaluator.seed());
    SampleOptions draw;
    draw.end = is_random(queue) ? draws : 1;
    draw.threads = options.threads;
    draw.stop = options.stop;
    const ResultCounts results = sample(*some, CountingFrame{.format = format}, draw);
    found.tried += results.samples();
    if (const auto range = results.extremes()) {
      const KeyInterval keys{ordered_key(format, bits_of(format, range->min)),
                             ordered_key(format, bits_of(format, range->max))};
      if (!found.sums) found.sums = keys;
      found.sums = KeyInterval{std::min(found.sums->low, keys.low), std::max(found.sums->high, keys.high)};
    }
    if (options.stop.stop_requested()) return found;
    if (options.progress) options.progress(++done, queues.size());
  }
  return found;
}

}  // namespace orderlab
