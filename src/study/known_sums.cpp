#include "study/known_sums.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/stop.hpp"
#include "order/left_to_right.hpp"
#include "probe/hypotheses.hpp"
#include "probe/order_key.hpp"
#include "run/trie_sums.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// Less is simpler: names before expressions, few arguments and stages before many, then the best known first.
auto complexity_of(const KnownOrder& order, std::size_t place) {
  const auto parts =
      std::count_if(order.text.begin(), order.text.end(), [](char c) { return c == '(' || c == ',' || c == '|'; });
  return std::tuple(order.order.name().empty(), parts, place);
}

class AllKnownSums {
 public:
  AllKnownSums(const Input& input, const Formats& formats, const Loop& loop, const Watch& watch,
               const std::function<bool(std::uint64_t)>& wanted)
      : input_(input), formats_(formats), loop_(loop), watch_(watch), wanted_(wanted) {}

  KnownSums run(OrderDevice device) {
    KnownSums found;
    found.complete = unless_stopped([&] {
                       list(device);
                       add_up();
                       tell_apart();
                       return true;
                     }).has_value();
    found.orders = grouped();
    return found;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void list(OrderDevice device) {
    const WatchedWork stage(watch_, "list of orders");
    orders_ = known_orders(input_.facts.n, input_.facts.products, formats_.accumulate, loop_, watch_.stop);
    stop_point();
    std::erase_if(orders_, [&](const KnownOrder& order) { return !among(order.device, device); });
    sums_.resize(orders_.size());
    trees_.resize(orders_.size());
    std::iota(trees_.begin(), trees_.end(), std::uint64_t{0});
  }

  void add_up() {
    StageTrie plain(input_.facts.n);
    StageTrie fused(input_.facts.n);
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      const auto& stages = orders_[i].stages;
      const bool fuse = std::any_of(stages.begin(), stages.end(), [](const auto& s) { return fuses(s); });
      (fuse ? fused : plain).add(stages, i);
    }
    const WatchedStage stage(watch_, "orders");
    adding_ = true;
    begin(orders_.size(), cost_of(plain) + cost_of(fused));
    for (const StageTrie* trie : {&plain, &fused})
      trie_sums(
          *trie, input_.terms.view(), formats_, trie == &fused, loop_,
          [&](std::span<const std::size_t> some, std::uint64_t bits) { take(some, bits); },
          [&](std::size_t branch) { advance(trie->cost(branch)); });
  }

  /// Only orders with equal sums can have the same tree.
  void tell_apart() {
    std::map<std::uint64_t, std::vector<std::size_t>> by_sum;
    for (std::size_t i = 0; i < orders_.size(); ++i) by_sum[*sums_[i]].push_back(i);
    StageTrie trie(input_.facts.n);
    for (const auto& [bits, some] : by_sum)
      for (const std::size_t i : some)
        if (some.size() > 1) trie.add(orders_[i].stages, i);
    const WatchedStage stage(watch_, "comparing trees");
    adding_ = false;
    std::size_t alike = 0;
    for (const auto& [bits, some] : by_sum) alike += some.size() > 1 ? some.size() : 0;
    begin(alike, cost_of(trie));
    trie_keys(
        trie, loop_,
        [&](std::span<const std::size_t> some, std::uint64_t key) {
          const std::lock_guard lock(one_at_a_time_);
          for (const std::size_t i : some) trees_[i] = key;
          done_ += some.size();
        },
        [&](std::size_t branch) { advance(trie.cost(branch)); });
  }

  static double cost_of(const StageTrie& trie) {
    double sum = 0;
    for (const std::size_t branch : trie.first()) sum += trie.cost(branch);
    return sum;
  }

  void begin(std::size_t total, double cost) {
    done_ = 0;
    total_ = total;
    spent_ = 0;
    cost_ = cost;
  }

  void take(std::span<const std::size_t> some, std::uint64_t bits) {
    const std::lock_guard lock(one_at_a_time_);
    for (const std::size_t i : some) {
      sums_[i] = bits;
      trees_[i] = some.front();  // one node of the trie: the same steps
    }
    if (wanted_(bits)) giving_.push_back(some.front());
    done_ += some.size();
  }

  void advance(double cost) {
    const std::lock_guard lock(one_at_a_time_);
    spent_ += cost;
    call_back(watch_.advances, Progress{done_, total_, spent_ / cost_});
    if (adding_) announce();
  }

  /// After 1 s, 4 s, 16 s, ...: few lines, however long it takes.
  void announce() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (seconds < next_words_ || done_ == total_) return;
    next_words_ *= 4;
    constexpr std::size_t kNamed = 5;
    std::sort(giving_.begin(), giving_.end());
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, giving_.size()); ++i)
      names += (i > 0 ? ", " : "") + orders_[giving_[i]].text;
    if (giving_.size() > kNamed) names += ", ...";
    const std::string found = giving_.empty() ? "none gives a result so far" : "so far these give a result: " + names;
    call_back(watch_.announces, std::to_string(done_) + " of " + std::to_string(total_) + " orders tried; " + found);
  }

  std::vector<KnownSum> grouped() {
    std::vector<std::size_t> simplest_first;
    for (std::size_t i = 0; i < orders_.size(); ++i)
      if (sums_[i]) simplest_first.push_back(i);
    std::sort(simplest_first.begin(), simplest_first.end(), [&](std::size_t a, std::size_t b) {
      return complexity_of(orders_[a], a) < complexity_of(orders_[b], b);
    });
    std::vector<KnownSum> groups;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> places;  // in `groups`, by sum and tree
    for (const bool idle : {false, true})  // an order without a stage that adds nothing names the tree
      for (const std::size_t i : simplest_first) {
        if (orders_[i].idles != idle) continue;
        const std::string& text = orders_[i].text;
        const auto [at, is_new] = places.emplace(std::pair(*sums_[i], trees_[i]), groups.size());
        if (is_new) {
          groups.push_back({text, orders_[i].order.expression(), {}, *sums_[i]});
          continue;
        }
        KnownSum& group = groups[at->second];
        const bool listed =
            text == group.text || std::find(group.also.begin(), group.also.end(), text) != group.also.end();
        if (!idle && !listed) group.also.push_back(text);
      }
    return groups;
  }

  const Input& input_;
  const Formats& formats_;
  const Loop& loop_;
  const Watch& watch_;
  const std::function<bool(std::uint64_t)>& wanted_;
  std::vector<KnownOrder> orders_;
  std::vector<std::optional<std::uint64_t>> sums_;  ///< sum of each order
  std::vector<std::uint64_t> trees_;                ///< equal for orders with equal sums that add the same tree
  std::vector<std::size_t> giving_;                 ///< orders with a wanted sum
  std::mutex one_at_a_time_;
  bool adding_ = false;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  double spent_ = 0;
  double cost_ = 0;
  Clock::time_point start_ = Clock::now();
  double next_words_ = 1;
};

}  // namespace

KnownSums known_sums(const Input& input, const Formats& formats, OrderDevice device, const Loop& loop,
                     const Watch& watch, const std::function<bool(std::uint64_t)>& wanted) {
  return AllKnownSums(input, formats, loop, watch, wanted).run(device);
}

}  // namespace orderlab::study
