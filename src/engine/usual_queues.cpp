#include "engine/usual_queues.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/ordered_number.hpp"
#include "order/stages/queue.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

namespace {

// Partial sums that are added in all first draws together, some seconds, where kFewestDraws of each are fewer; and
// draws of one queue.
constexpr std::uint64_t kAdditions = 1 << 27;
constexpr std::uint64_t kFewestDraws = 8;
constexpr std::uint64_t kMostDraws = 2000;
// Of the queues whose sums reach farthest, so many are drawn again, so many times as often.
constexpr std::size_t kFarthest = 3;
constexpr std::uint64_t kAgain = 10;

std::vector<StageCall> replacements(const Order& order) {
  const auto& stages = order.stages();
  const auto random =
      std::count_if(stages.begin(), stages.end(), [](const StageCall& call) { return is_random(call); });
  return random == 1 ? usual_queues(stages[order.first_random()]) : std::vector<StageCall>();
}

class UsualQueues {
 public:
  UsualQueues(const Evaluator& evaluator, const TermView& terms, const UsualArrivalsOptions& options)
      : evaluator_(evaluator), terms_(terms), options_(options), queues_(replacements(evaluator.order())) {
    found_.of_queue = true;
  }

  UsualArrivals run(std::optional<KeyInterval> sampled, std::span<const KeyInterval> wanted) {
    if (queues_.empty()) return found_;
    const std::uint64_t draws = std::clamp(
        kAdditions / queues_.size() / std::max<std::uint64_t>(evaluator_.random_count(), 1), kFewestDraws, kMostDraws);
    total_ = queues_.size();
    for (std::size_t q = 0; q < queues_.size(); ++q) draw(q, 0, is_random(queues_[q]) ? draws : 1);
    if (!found_.sums) return found_;
    KeyInterval range = *found_.sums;
    if (sampled) range = {std::min(range.low, sampled->low), std::max(range.high, sampled->high)};
    const std::uint64_t limit = range.size() / 4;
    const auto near = [&](std::int64_t low, std::int64_t high) { return KeyInterval{low, high}.size() - 1 <= limit; };
    const auto any = [&](auto&& beyond) { return std::any_of(wanted.begin(), wanted.end(), beyond); };
    if (any([&](const KeyInterval& want) { return want.high < range.low && near(want.high, range.low); }))
      draw_again(draws, [](const Drawn& a, const Drawn& b) { return a.sums.low < b.sums.low; });
    if (any([&](const KeyInterval& want) { return want.low > range.high && near(range.high, want.low); }))
      draw_again(draws, [](const Drawn& a, const Drawn& b) { return a.sums.high > b.sums.high; });
    return found_;
  }

 private:
  struct Drawn {
    std::size_t queue;
    KeyInterval sums;
  };

  template <class Farther>
  void draw_again(std::uint64_t draws, const Farther& farther) {
    std::vector<Drawn> queues;
    for (const Drawn& drawn : drawn_)
      if (is_random(queues_[drawn.queue])) queues.push_back(drawn);
    std::stable_sort(queues.begin(), queues.end(), farther);
    queues.resize(std::min(queues.size(), kFarthest));
    total_ += queues.size();
    for (const Drawn& drawn : queues) draw(drawn.queue, draws, (1 + kAgain) * draws);
  }

  void draw(std::size_t queue, std::uint64_t begin, std::uint64_t end) {
    if (options_.stop.stop_requested()) return;
    const Format format = evaluator_.formats().result;
    const Order& order = evaluator_.order();
    std::vector<StageCall> stages = order.stages();
    stages[order.first_random()] = queues_[queue];
    const auto some = Evaluator::make(Order({}, std::move(stages)), terms_, evaluator_.formats(), evaluator_.seed());
    const SampleOptions how{.begin = begin, .end = end, .threads = options_.threads, .stop = options_.stop};
    const ResultCounts results = sample(*some, CountingFrame{.format = format}, how);
    found_.tried += results.samples();
    if (const auto range = results.extremes()) {
      const KeyInterval sums{ordered_key(format, bits_of(format, range->min)),
                             ordered_key(format, bits_of(format, range->max))};
      if (begin == 0) drawn_.push_back({queue, sums});
      if (!found_.sums) found_.sums = sums;
      found_.sums = KeyInterval{std::min(found_.sums->low, sums.low), std::max(found_.sums->high, sums.high)};
    }
    if (options_.progress) options_.progress(++done_, total_);
  }

  const Evaluator& evaluator_;
  const TermView& terms_;
  const UsualArrivalsOptions& options_;
  std::vector<StageCall> queues_;
  std::vector<Drawn> drawn_;
  UsualArrivals found_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

UsualArrivals sums_of_usual_queues(const Evaluator& evaluator, const TermView& terms,
                                   std::optional<KeyInterval> sampled, std::span<const KeyInterval> wanted,
                                   const UsualArrivalsOptions& options) {
  return UsualQueues(evaluator, terms, options).run(sampled, wanted);
}

}  // namespace orderlab
