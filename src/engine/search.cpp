#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "engine/addends.hpp"
#include "engine/arena.hpp"
#include "engine/extremes.hpp"
#include "engine/search_moves.hpp"
#include "engine/search_starts.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kChains = 8;  // a part of what decides the outcome: half for the greatest, half for the least
constexpr std::uint64_t kRandomShare = 10;   // 1/kRandomShare of the evaluations are random orders,
constexpr std::uint64_t kMostRandom = 1000;  // at most
constexpr std::uint64_t kTimedRandom = 200;  // random orders if the limit is a time

// What a start or a chain led to.
struct Tried {
  bool done = false;
  Evaluation evaluation = {};
  std::vector<std::uint32_t> order = {};  ///< for a chain
};

class Search {
 public:
  Search(const Evaluator& evaluator, const SearchOptions& options)
      : evaluator_(evaluator),
        options_(options),
        values_(evaluator.random_inputs()),
        scratch_([this] { return evaluator_.make_scratch(); }) {}

  std::optional<SearchResult> run() {
    if (const auto i = first_not_finite(values_, evaluator_.random_products()))
      throw Error(ErrorKind::unsupported, "a search for extreme orders: partial sum number " + std::to_string(*i) +
                                              " is inf or NaN, and so is every result; they must be finite");
    plan_starts();
    try_starts();
    if (std::none_of(tried_.begin(), tried_.end(), [](const Tried& t) { return t.done; })) return std::nullopt;
    std::vector<Tried> chains(kChains);
    const std::uint64_t left = options_.evaluations - std::min(options_.evaluations, spent_.load());
    parallel_for(0, kChains, Grain::joined, [&](std::uint64_t c) {
      const std::uint64_t share = timed() ? ~std::uint64_t{0} : left / kChains + (c < left % kChains ? 1 : 0);
      chains[c] = chain(c, share);
    });
    SearchResult result;
    Tried& least = best(chains, false);
    Tried& greatest = best(chains, true);
    result.least = {&least == &greatest ? least.order : std::move(least.order), least.evaluation};
    result.greatest = {std::move(greatest.order), greatest.evaluation};
    result.evaluations = spent_;
    result.complete = !options_.stop.stop_requested();
    if (result.complete) stop_point();  // another token than this call knows
    return result;
  }

 private:
  bool timed() const { return options_.seconds > 0; }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  bool over() const { return options_.stop.stop_requested() || (timed() && elapsed() >= options_.seconds); }

  // The order as given comes first and is tried at any cost.
  void plan_starts() {
    std::uint64_t cost = 0;
    for (const Start& start : constructed_starts(values_)) {
      if (!timed() && !starts_.empty() && cost + start.cost() > options_.evaluations / 2) break;
      cost += start.cost();
      starts_.push_back(start);
    }
    const std::uint64_t random = timed() ? kTimedRandom : std::min(kMostRandom, options_.evaluations / kRandomShare);
    for (std::uint64_t r = 0; r < random; ++r) starts_.push_back({.arrangement = Arrangement::random, .number = r});
  }

  std::vector<std::uint32_t> order_of(const Start& start) const {
    return make_start(start, values_, evaluator_.formats().accumulate, evaluator_.seed());
  }

  void try_starts() {
    tried_.resize(starts_.size());
    parallel_for(0, starts_.size(), Grain::joined, [&](std::uint64_t i) {
      if (options_.stop.stop_requested() || (i > 0 && over())) return;
      std::vector<std::uint32_t> order;
      const auto evaluation = unless_stopped([&] {
        order = order_of(starts_[i]);
        return evaluator_.evaluate_arranged(order, scratch_.local());
      });
      if (!evaluation) return;
      tried_[i] = {true, *evaluation, {}};
      keep_if_best(i, std::move(order));
      spend(starts_[i].cost());
    });
  }

  /// The order of the best start either way is what a search has that is stopped before its chains are under way.
  void keep_if_best(std::size_t start, std::vector<std::uint32_t> order) {
    const std::lock_guard lock(keeping_);
    const Evaluation& evaluation = tried_[start].evaluation;
    const auto better = [&](bool greatest) {
      const Tried& best = best_starts_[greatest ? 1 : 0];
      return !best.done || score(evaluation, greatest) > score(best.evaluation, greatest);
    };
    const bool greater = better(true);
    if (better(false)) best_starts_[0] = {true, evaluation, greater ? order : std::move(order)};
    if (greater) best_starts_[1] = {true, evaluation, std::move(order)};
  }

  // Larger is better; NaN is worst.
  std::int64_t score(const Evaluation& evaluation, bool greatest) const {
    if (std::isnan(evaluation.value)) return std::numeric_limits<std::int64_t>::min();
    const std::int64_t key = ordered_key(evaluator_.formats().result, evaluation.bits);
    return greatest ? key : -1 - key;
  }

  // The start of rank `rank` by result, the last one if there are fewer.
  std::size_t ranked_start(std::size_t rank, bool greatest) const {
    std::vector<std::size_t> done;
    for (std::size_t i = 0; i < tried_.size(); ++i)
      if (tried_[i].done) done.push_back(i);
    std::stable_sort(done.begin(), done.end(), [&](std::size_t a, std::size_t b) {
      return score(tried_[a].evaluation, greatest) > score(tried_[b].evaluation, greatest);
    });
    return done[std::min(rank, done.size() - 1)];
  }

  /// Not done where it was stopped before it began.
  Tried chain(std::size_t c, std::uint64_t steps) {
    const bool greatest = c % 2 == 0;
    const std::size_t start = ranked_start(c / 2, greatest);
    auto order = unless_stopped([&] { return order_of(starts_[start]); });
    if (!order) return {};
    Tried now{true, tried_[start].evaluation, *std::move(order)};
    if (now.order.size() < 2) return now;
    WordReader words(RandomStream(evaluator_.seed(), streams::kSearchMoves, c));
    for (std::uint64_t step = 0; step < steps && !over(); ++step) {
      const Move move(words, step, static_cast<std::uint32_t>(now.order.size()));
      move.apply(now.order);
      const auto next = unless_stopped([&] { return evaluator_.evaluate_arranged(now.order, scratch_.local()); });
      if (next && score(*next, greatest) >= score(now.evaluation, greatest))
        now.evaluation = *next;
      else
        move.undo(now.order);
      if (next) spend(1);
    }
    return now;
  }

  Tried& best(std::vector<Tried>& chains, bool greatest) {
    Tried* found = nullptr;
    for (Tried& one : chains)
      if (one.done && (found == nullptr || score(one.evaluation, greatest) > score(found->evaluation, greatest)))
        found = &one;
    Tried& start = best_starts_[greatest ? 1 : 0];
    if (found == nullptr || score(start.evaluation, greatest) > score(found->evaluation, greatest)) found = &start;
    return *found;
  }

  void spend(std::uint64_t evaluations) {
    const std::uint64_t spent = spent_ += evaluations;
    if (!options_.progress || !progress_.try_lock()) return;
    const std::lock_guard lock(progress_, std::adopt_lock);
    if (timed())
      options_.progress(static_cast<std::uint64_t>(1000 * std::min(elapsed(), options_.seconds)),
                        static_cast<std::uint64_t>(1000 * options_.seconds));
    else
      options_.progress(std::min(spent, options_.evaluations), options_.evaluations);
  }

  const Evaluator& evaluator_;
  const SearchOptions& options_;
  std::vector<double> values_;
  PerThread<Evaluator::Scratch> scratch_;
  std::vector<Start> starts_;
  std::vector<Tried> tried_;
  std::array<Tried, 2> best_starts_;  ///< least, greatest
  std::mutex keeping_;
  std::atomic<std::uint64_t> spent_ = 0;
  std::mutex progress_;
  Clock::time_point begin_ = Clock::now();
};

void check_options(const Evaluator& evaluator, const SearchOptions& options) {
  const Order& order = evaluator.order();
  if (options.evaluations == 0)
    throw Error(ErrorKind::usage, "a search of 0 evaluations finds nothing; it needs at least 1");
  if (!order.random() || order.stages()[order.first_random()].stage->reduces ||
      std::count_if(order.stages().begin(), order.stages().end(),
                    [](const StageCall& call) { return is_random(call); }) != 1)
    throw Error(ErrorKind::usage, "order " + order.expression() +
                                      ": a search permutes what one random stage arranges; it needs one such stage and "
                                      "no other random one");
  if (evaluator.random_count() >> 32 != 0)
    throw Error(ErrorKind::unsupported, "a search over " + std::to_string(evaluator.random_count()) +
                                            " partial sums: at most 2^32 - 1 can be searched");
}

}  // namespace

std::optional<SearchResult> search_extremes(const Evaluator& evaluator, const SearchOptions& options) {
  const FloatEnvironment environment;
  check_options(evaluator, options);
  const StopScope scope(options.stop);
  return with_threads(options.threads, [&](std::size_t) { return Search(evaluator, options).run(); });
}

double search_memory_bytes(std::uint64_t partial_sums, int threads) {
  const FloatEnvironment environment;
  constexpr double kChainBytes = 4 * (kChains + 2) + 8;  // an order for each chain and of two starts, and the values
  constexpr double kThreadBytes = 72;                    // a start while it is made, an arranged copy
  return static_cast<double>(partial_sums) * (kChainBytes + kThreadBytes * threads);
}

}  // namespace orderlab
