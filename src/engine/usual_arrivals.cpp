#include "engine/usual_arrivals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "core/text.hpp"
#include "engine/arena.hpp"
#include "engine/search_moves.hpp"
#include "engine/search_starts.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

namespace {

using LaunchOrder = std::vector<std::uint32_t>;

constexpr std::uint64_t kDraws = std::uint64_t{1} << 26;  // partial sums that all drawn orders together move, about
constexpr std::uint64_t kMostMoves = 1000;                // in a search on either side

class UsualOrders {
 public:
  UsualOrders(const Evaluator& evaluator, const UsualArrivalsOptions& options)
      : evaluator_(evaluator),
        options_(options),
        format_(evaluator.formats().result),
        models_(usual_models(m())),
        draws_(std::clamp<std::uint64_t>(kDraws / (m() * models_.size()), 2, 32)),
        values_(evaluator.random_inputs()),
        scratch_([this] { return evaluator_.make_scratch(); }) {}

  UsualArrivals run(std::optional<KeyInterval> sampled, std::span<const KeyInterval> wanted) {
    const std::uint64_t orders = 2 + kSorted.size() + models_.size() * draws_;
    std::uint64_t done = 0;
    parallel_for(0, orders, Grain::apart, [&](std::uint64_t i) {
      if (options_.stop.stop_requested()) return;
      unless_stopped([&] {
        take(i, order_of(i));
        return true;
      });
      const std::lock_guard lock(keeping_);
      if (options_.progress) options_.progress(++done, orders);
    });
    if (!least_ || !found_.sums) return found_;
    KeyInterval range = *found_.sums;
    if (sampled) range = {std::min(range.low, sampled->low), std::max(range.high, sampled->high)};
    const std::uint64_t limit = range.size() / 4;
    const auto near = [&](std::int64_t low, std::int64_t high) { return KeyInterval{low, high}.size() - 1 <= limit; };
    for (const KeyInterval& want : wanted) {
      if (want.low > range.high && near(range.high, want.low)) search_to(want.low, true);
      if (want.high < range.low && near(want.high, range.low)) search_to(want.high, false);
    }
    return found_;
  }

 private:
  static constexpr std::array kSorted{Arrangement::ascending, Arrangement::descending, Arrangement::rising,
                                      Arrangement::falling};

  struct Arranged {
    std::int64_t key;
    std::uint64_t number;
    LaunchOrder order;
  };

  std::size_t m() const { return evaluator_.random_count(); }

  LaunchOrder order_of(std::uint64_t i) const {
    LaunchOrder order(m());
    std::iota(order.begin(), order.end(), 0U);
    if (i == 0) return order;
    if (i == 1) {
      std::reverse(order.begin(), order.end());
      return order;
    }
    i -= 2;
    if (i < kSorted.size())
      return make_start({.arrangement = kSorted[i]}, values_, evaluator_.formats().accumulate, evaluator_.seed());
    i -= kSorted.size();
    const ArrivalCall& call = models_[i / draws_];
    call.model->draw(*call.arguments, RandomStream(evaluator_.seed(), streams::kUsualArrivals, i), order);
    return order;
  }

  std::optional<std::int64_t> sum_of(const LaunchOrder& order) {
    const Evaluation sum = evaluator_.evaluate_arranged(order, scratch_.local());
    if (!std::isfinite(sum.value)) return std::nullopt;
    return ordered_key(format_, sum.bits);
  }

  void take(std::uint64_t number, LaunchOrder order) {
    const auto key = sum_of(order);
    const std::lock_guard lock(keeping_);
    ++found_.tried;
    if (!key) return;
    include(*key);
    // Among equal keys the lowest number is kept, since threads come in any order.
    if (!least_ || std::pair(*key, number) < std::pair(least_->key, least_->number)) least_ = {*key, number, order};
    if (!greatest_ || std::pair(-*key, number) < std::pair(-greatest_->key, greatest_->number))
      greatest_ = {*key, number, std::move(order)};
  }

  void include(std::int64_t key) {
    if (!found_.sums) found_.sums = KeyInterval{key, key};
    found_.sums->low = std::min(found_.sums->low, key);
    found_.sums->high = std::max(found_.sums->high, key);
  }

  // Changes the outermost order, keeping those that make its sum no smaller (up) or no greater, until it is beyond.
  void search_to(std::int64_t wanted, bool up) {
    Arranged& best = up ? *greatest_ : *least_;
    if (m() < 2) return;
    WordReader words(
        RandomStream(evaluator_.seed(), streams::kUsualArrivals, RandomStream::kSampleLimit - (up ? 1 : 2)));
    for (std::uint64_t step = 0; step < kMostMoves && (up ? best.key < wanted : best.key > wanted); ++step) {
      if (options_.stop.stop_requested()) return;
      const Move move(words, step, static_cast<std::uint32_t>(m()));
      move.apply(best.order);
      const auto key = sum_of(best.order);
      if (key && (up ? *key >= best.key : *key <= best.key))
        best.key = *key;
      else
        move.undo(best.order);
      ++found_.tried;
    }
    if (found_.sums->holds(best.key)) return;
    include(best.key);
    found_.searched = true;
  }

  const Evaluator& evaluator_;
  const UsualArrivalsOptions& options_;
  Format format_;
  std::vector<ArrivalCall> models_;
  std::uint64_t draws_;  // for each model
  std::vector<double> values_;
  PerThread<Evaluator::Scratch> scratch_;
  std::mutex keeping_;
  UsualArrivals found_;
  std::optional<Arranged> least_;
  std::optional<Arranged> greatest_;
};

}  // namespace

// The shares of m of drift and batches are
// those of the fits to a V100 (named_arrivals), 7813 thread blocks; a sixth of m resides there at once.
std::vector<ArrivalCall> usual_models(std::size_t m) {
  const auto of_m = [m](double share) { return shortest(std::max(0.5, share * static_cast<double>(m))); };
  std::vector<std::string> texts;
  for (const double strength : {0.001, 0.01, 0.05, 0.25}) texts.push_back("jitter(" + of_m(strength) + ")");
  for (const double scale : {0.25, 1.0, 4.0}) {
    const std::string spreads = of_m(scale * 0.0137) + "," + of_m(scale * 0.0529);
    texts.push_back("drift(" + spreads + ")");
    texts.push_back("batches(" + spreads + "," + shortest(std::max(1.0, 0.0314 * static_cast<double>(m))) +
                    ",0.272,0.1)");
  }
  for (const double resident : {0.01, 0.16})
    texts.push_back("slots(" + shortest(std::ceil(std::max(1.0, resident * static_cast<double>(m)))) + ",0.2)");
  std::vector<ArrivalCall> models;
  for (const std::string& text : texts) {
    const ArrivalCall call = parse_arrival(text);
    call.model->check(*call.arguments, m);
    models.push_back(call);
  }
  return models;
}

bool arranges(const Evaluator& evaluator) {
  const Order& order = evaluator.order();
  return order.random() && !order.stages()[order.first_random()].stage->reduces && evaluator.random_count() >> 32 == 0;
}

UsualArrivals sums_of_usual_arrivals(const Evaluator& evaluator, std::optional<KeyInterval> sampled,
                                     std::span<const KeyInterval> wanted, const UsualArrivalsOptions& options) {
  const StopScope scope(options.stop);
  return with_threads(options.threads,
                      [&](std::size_t) { return UsualOrders(evaluator, options).run(sampled, wanted); });
}

}  // namespace orderlab
