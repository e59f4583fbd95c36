// Tries every known order. Longer than most files: one flow from the results to their verdicts.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/check.hpp"
#include "study/any_order_results.hpp"
#include "study/bound_order.hpp"
#include "study/by_chance.hpp"
#include "study/check_options.hpp"
#include "study/check_samples.hpp"
#include "study/distinct_results.hpp"
#include "study/known_sums.hpp"
#include "study/narrower_orders.hpp"

namespace orderlab::study {

namespace {

// Additions of the samples of a random order: about half a second, two, and eight.
constexpr double kFewAdditions = 0x1p26;
constexpr double kQuickAdditions = 0x1p28;
constexpr double kLongAdditions = 0x1p30;

// Samples that are drawn first. Results between two of them are explained.
constexpr double kLeastSamples = 16;
constexpr double kMostFirstSamples = 1024;

// Whether another seed gives no other terms, as those of constant(1). The first terms tell.
bool one_input(const InputFacts& input) {
  if (input.distribution.empty()) return false;
  GeneratedTerms some{.n = std::min<std::uint64_t>(input.n, 64),
                      .distribution = input.distribution,
                      .formats = input.formats,
                      .seed = input.input_seed,
                      .number = input.input_number,
                      .threads = 1};
  const std::string hash = generated_input(some).facts.hash;
  ++some.seed;
  return generated_input(some).facts.hash == hash;
}

/// What candidates are ranked by: less is better.
auto rank_of(const OrderCandidate& c, const Formats& asked) {
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  const int kind = c.verdict == Verdict::explained ? 0 : c.explained > 0 ? 1 : c.random ? 3 : 2;
  const std::uint64_t missed = kind == 1 ? kNone - c.explained : 0;
  const std::uint64_t far = c.random ? c.distinct.value_or(kNone) : kind == 2 ? c.distance_ulp.value_or(kNone) : 0;
  return std::tuple(kind, missed, c.random, c.formats != asked, far);
}

class CheckAny {
 public:
  CheckAny(const Input& input, const CheckAnyRequest& request, const Watch& watch)
      : input_(input), request_(request), watch_(watch), loop_(loop_on(request.threads)) {
    quiet_ = watch;
    quiet_.announces = {};
    quiet_.notes = {};
    finding_.input = input.facts;
    finding_.means = request.means;
    finding_.confidence = request.confidence;
    finding_.device = request.device;
    finding_.seed = request.seed;
    finding_.samples_asked = request.samples;
    finding_.memory_bytes = static_cast<std::uint64_t>(request.memory_bytes);
    finding_.exact_bits = input.facts.exact.round_to(input.facts.formats.result);
  }

  // Empty when interrupted before any order was tried.
  std::optional<CheckAnyFinding> run() {
    take_results();
    samples_ = samples_to_check(request_.samples, request_.confidence, finding_.results, input_.facts.n, false);
    const AnyOrderResults any(input_);
    decided_ = any.one() || std::none_of(finding_.values.begin(), finding_.values.end(), [&](const AnyValue& value) {
                 const auto [low, high] = range_of(value.given);
                 return any.may_be(low, high);
               });
    unless_stopped([&] {
      try_fixed(input_.facts.formats);
      try_wider();
      try_random();
      try_narrower();
      return true;
    });
    finding_.partial = stopped();
    if (finding_.candidates.empty()) return std::nullopt;
    const Unstopped to_the_end;  // what was found is a finding, whichever step the stop came in
    judge_values(any);
    rank();
    finding_.one_input = one_input(input_.facts);
    return std::move(finding_);
  }

 private:
  bool stopped() const { return watch_.stop.stop_requested(); }
  Format format() const { return input_.facts.formats.result; }

  void take_results() {
    DistinctResults distinct = distinct_results(request_.results, request_.given, format());
    finding_.results = distinct.given;
    finding_.rounded = distinct.rounded;
    for (const GivenResult& result : distinct.values) {
      finding_.values.push_back({.given = result});
      readings_.push_back(result.read_widely(format()));
    }
    given_ = std::move(distinct.values);
  }

  /// The least and the greatest number that a result may be.
  std::pair<double, double> range_of(const GivenResult& result) const {
    if (!std::isfinite(value_of_bits(format(), result.bits))) {
      const double value = value_of_bits(format(), result.bits);
      return {value, value};
    }
    const KeyInterval read = result.read_widely(format());
    return {value_of_bits(format(), bits_of_key(format(), read.low)),
            value_of_bits(format(), bits_of_key(format(), read.high))};
  }

  bool wanted(std::uint64_t bits) const {
    const std::int64_t key = ordered_key(format(), bits);
    return std::any_of(readings_.begin(), readings_.end(), [&](const KeyInterval& read) { return read.holds(key); });
  }

  /// Orders with one sum, and the values that this sum is.
  struct OrdersOfSum {
    std::uint64_t orders = 0;
    std::vector<std::size_t> gives = {};
  };
  using Sums = std::map<std::int64_t, OrdersOfSum>;  // by ordered_key

  void try_fixed(const Formats& formats) {
    const bool asked = formats == input_.facts.formats;
    KnownSums known = known_sums(input_, formats, request_.device, loop_, asked ? watch_ : quiet_,
                                 [this](std::uint64_t bits) { return wanted(bits); });
    Sums sums;
    for (const KnownSum& one : known.orders) ++sums[ordered_key(format(), one.bits)].orders;
    if (!sums.empty()) judge_values_by(sums, asked);
    for (KnownSum& one : known.orders) {
      const std::vector<std::size_t>& gives = sums[ordered_key(format(), one.bits)].gives;
      OrderCandidate found = candidate_of(std::move(one), formats, gives);
      if (asked || found.explained > 0) finding_.candidates.push_back(std::move(found));
    }
    if (!asked) return;
    finding_.fixed_tried = known.orders.size();
    finding_.fixed_sums = sums.size();
  }

  void judge_values_by(Sums& sums, bool asked) {
    std::vector<SumOfOrders> all;
    std::uint64_t tried = 0;
    for (const auto& [key, sum] : sums) {
      all.push_back({value_of_bits(format(), bits_of_key(format(), key)), sum.orders});
      tried += sum.orders;
    }
    const SumsByChance by_chance(format(), std::move(all));
    for (std::size_t i = 0; i < finding_.values.size(); ++i) {
      AnyValue& value = finding_.values[i];
      for (auto at = sums.lower_bound(readings_[i].low); at != sums.end() && at->first <= readings_[i].high; ++at) {
        (asked ? value.fixed : value.wider) += at->second.orders;
        at->second.gives.push_back(i);
      }
      const auto [low, high] = range_of(value.given);
      const ByChance chance = by_chance.of(low, high);
      value.tried += tried;
      value.by_chance = value.by_chance.value_or(0) + chance.orders;
      value.chance = value.chance.value_or(0) + chance.any;
    }
  }

  OrderCandidate candidate_of(KnownSum one, const Formats& formats, const std::vector<std::size_t>& gives) const {
    OrderCandidate found{.text = std::move(one.text), .expression = std::move(one.expression), .formats = formats};
    found.also = std::move(one.also);
    found.bits = one.bits;
    found.gives = gives;
    for (const std::size_t i : gives) found.explained += finding_.values[i].given.count;
    found.verdict = found.explained == finding_.results ? Verdict::explained : Verdict::impossible;
    found.distance_ulp = found.explained > 0 ? 0 : nearest_result(one.bits);
    return found;
  }

  /// Steps from the sum to the nearest of the results; empty unless it and one of them are finite.
  std::optional<std::uint64_t> nearest_result(std::uint64_t sum) const {
    std::optional<std::uint64_t> least;
    if (!std::isfinite(value_of_bits(format(), sum))) return least;
    const auto look_at = [&](std::uint64_t bits) {
      if (!std::isfinite(value_of_bits(format(), bits))) return;
      const std::uint64_t distance = ulp_distance(format(), sum, bits);
      if (!least || distance < *least) least = distance;
    };
    const auto after = std::lower_bound(
        given_.begin(), given_.end(), ordered_key(format(), sum),
        [this](const GivenResult& result, std::int64_t key) { return ordered_key(format(), result.bits) < key; });
    if (after != given_.end()) look_at(after->bits);
    if (after != given_.begin()) look_at(std::prev(after)->bits);
    return least;
  }

  /// For results that no fixed order gives.
  void try_wider() {
    for (const Format accumulate : {Format::fp32, Format::fp64}) {
      const bool missed = std::any_of(finding_.values.begin(), finding_.values.end(),
                                      [](const AnyValue& v) { return v.fixed + v.wider == 0; });
      Formats formats = input_.facts.formats;
      if (stopped() || !missed || info(accumulate).precision <= info(formats.accumulate).precision) continue;
      formats.accumulate = accumulate;
      try_fixed(formats);
      if (!stopped()) finding_.wider.push_back(formats);  // else not all were tried
    }
  }

  /// For results that no order gives.
  void try_narrower() {
    const bool missed = std::any_of(finding_.values.begin(), finding_.values.end(),
                                    [](const AnyValue& v) { return v.fixed + v.wider + v.random == 0; });
    if (stopped() || !missed) return;
    std::vector<NarrowerSum> all = narrower_sums(input_, request_.device, loop_, quiet_);
    Sums sums;
    for (const NarrowerSum& one : all) ++sums[ordered_key(format(), one.order.bits)].orders;
    std::vector<SumOfOrders> of_orders;
    for (const auto& [key, sum] : sums)
      of_orders.push_back({value_of_bits(format(), bits_of_key(format(), key)), sum.orders});
    const SumsByChance by_chance(format(), std::move(of_orders));
    for (std::size_t i = 0; i < finding_.values.size(); ++i) {
      AnyValue& value = finding_.values[i];
      for (auto at = sums.lower_bound(readings_[i].low); at != sums.end() && at->first <= readings_[i].high; ++at) {
        value.narrower += at->second.orders;
        at->second.gives.push_back(i);
      }
      const auto [low, high] = range_of(value.given);
      if (!sums.empty()) value.narrower_chance = std::min(1.0, by_chance.of(low, high).any);
    }
    finding_.narrower_tried = all.size();
    for (NarrowerSum& one : all) {
      const std::vector<std::size_t>& gives = sums[ordered_key(format(), one.order.bits)].gives;
      if (!gives.empty()) finding_.narrower.push_back(candidate_of(std::move(one.order), one.formats, gives));
    }
    std::stable_sort(finding_.narrower.begin(), finding_.narrower.end(),
                     [](auto& a, auto& b) { return a.explained > b.explained; });
    std::size_t kept[2] = {};  // with a narrower accumulator; in the formats of the input
    std::erase_if(finding_.narrower, [&](const OrderCandidate& c) {
      return ++kept[c.formats == input_.facts.formats ? 1 : 0] > CheckAnyFinding::kMostNarrower;
    });
  }

  bool all_explained() const {
    return std::any_of(finding_.candidates.begin(), finding_.candidates.end(),
                       [](const OrderCandidate& c) { return c.verdict == Verdict::explained; });
  }

  /// From those that take the least time on.
  void try_random() {
    std::vector<std::pair<double, std::string_view>> all;  // partial sums that are drawn, name
    for (const NamedOrder& named : named_orders()) {
      const Order order = parse_order(named.name);
      if (!order.random() || !among(device_of_order(named.name), request_.device) || !valid(order)) continue;
      if (stopped()) return;
      all.emplace_back(static_cast<double>(drawn_partial_sums(order)), named.name);
    }
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (const auto& [partial_sums, name] : all) {
      if (stopped()) return;
      try_random(name, partial_sums);
    }
  }

  void try_random(std::string_view name, double partial_sums) {
    const Order order = parse_order(name);
    const double additions = partial_sums * static_cast<double>(samples_);
    if (additions > kFewAdditions && !request_.samples) {
      const double first = std::clamp(kFewAdditions / partial_sums, kLeastSamples, kMostFirstSamples);
      if (draw_first(name, order, static_cast<std::uint64_t>(first)) || stopped()) return;
    }
    if (additions <= kQuickAdditions || (additions <= kLongAdditions && !decided_ && !all_explained()))
      judge(name, order);
    else
      finding_.not_sampled.emplace_back(name);
  }

  bool valid(const Order& order) const {
    try {
      order.check(input_.facts.n, input_.facts.products, input_.facts.formats.accumulate);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  std::size_t drawn_partial_sums(const Order& order) const {
    return compile(order, input_.facts.n, input_.facts.formats, input_.facts.products)->random_count();
  }

  OrderCandidate random_candidate(std::string_view name, const Order& order) const {
    return {
        .text = std::string(name), .expression = order.expression(), .formats = input_.facts.formats, .random = true};
  }

  /// Whether all results lie between samples, of which few are drawn.
  bool draw_first(std::string_view name, const Order& order, std::uint64_t samples) {
    const auto evaluator = make_evaluator(order, input_, request_.seed, request_.threads);
    const ResultCounts counts = sample_range(
        *evaluator, input_.facts,
        {.begin = kFirstCheckSample, .end = kFirstCheckSample + samples, .threads = request_.threads}, quiet_);
    const auto range = counts.extremes();
    if (!range) return false;
    OrderCandidate found = random_candidate(name, order);
    for (std::size_t i = 0; i < finding_.values.size(); ++i) {
      const auto [low, high] = range_of(finding_.values[i].given);
      if (!(range->min <= high && low <= range->max)) return false;
      found.gives.push_back(i);
      found.explained += finding_.values[i].given.count;
    }
    found.samples = counts.samples();
    if (!counts.binned()) found.distinct = counts.distinct();
    found.p = 1;
    add_random(std::move(found), range->min, range->max);
    return true;
  }

  void judge(std::string_view name, const Order& order) {
    const CheckRequest request{.order = order,
                               .given = given_,
                               .confidence = request_.confidence,
                               .samples = request_.samples,
                               .seed = request_.seed,
                               .memory_bytes = request_.memory_bytes,
                               .threads = request_.threads};
    const std::optional<CheckFinding> judged = check(input_, request, quiet_);
    if (!judged || judged->partial) return;  // too few samples for a verdict
    OrderCandidate found = random_candidate(name, order);
    found.verdict = judged->result.verdict();
    const std::vector<ValueVerdict>& verdicts = judged->result.values;
    assert(verdicts.size() == given_.size());  // they ascend alike: equal bits in the order of their readings
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (verdicts[i].verdict != Verdict::explained) continue;
      found.explained += verdicts[i].given;
      found.gives.push_back(i);
    }
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double low = -kInfinite;
    double high = kInfinite;
    if (judged->all) {
      found.orders = judged->all->orders.str();
      found.distinct = judged->all->results.size();
      low = judged->all->results.values.front().value;
      high = judged->all->results.values.back().value;
    } else {
      found.samples = judged->samples->samples();
      if (!judged->samples->binned()) found.distinct = judged->samples->distinct();
      if (const auto range = judged->samples->extremes()) {
        low = range->min;
        high = range->max;
      }
    }
    found.p = judged->result.p();
    add_random(std::move(found), low, high);
  }

  /// An order whose sums lie in [low, high]: by chance it gives as many results as the fixed orders have sums there.
  void add_random(OrderCandidate found, double low, double high) {
    std::uint64_t inside = 0;
    std::uint64_t fixed = 0;
    for (const OrderCandidate& c : finding_.candidates) {
      if (c.random || c.formats != input_.facts.formats) continue;
      ++fixed;
      if (low <= c.value() && c.value() <= high) ++inside;
    }
    const double share = fixed == 0 ? 1 : static_cast<double>(inside) / static_cast<double>(fixed);
    for (const std::size_t i : found.gives) {
      AnyValue& value = finding_.values[i];
      ++value.random;
      if (value.fixed + value.wider == 0) value.chance = value.chance.value_or(0) + share;
    }
    finding_.candidates.push_back(std::move(found));
  }

  void judge_values(const AnyOrderResults& any) {
    finding_.one_result = any.one();
    for (AnyValue& value : finding_.values) {
      const auto [low, high] = range_of(value.given);
      if (value.chance) value.chance = std::min(1.0, *value.chance);
      const bool given = value.fixed + value.wider + value.random > 0;
      if (!any.may_be(low, high))
        value.verdict = AnyVerdict::impossible;
      else if (any.one() || (given && value.chance && *value.chance < kHardlyByChance))
        value.verdict = AnyVerdict::explained;
      else if (given)
        value.verdict = AnyVerdict::consistent;
      else
        value.verdict = finding_.partial ? AnyVerdict::none : AnyVerdict::not_explained;
    }
  }

  void rank() {
    auto& all = finding_.candidates;
    const Formats& asked = input_.facts.formats;
    std::stable_sort(all.begin(), all.end(), [&](auto& a, auto& b) { return rank_of(a, asked) < rank_of(b, asked); });
    std::size_t near = 0;
    std::erase_if(all, [&](const OrderCandidate& c) {
      return !c.random && c.explained == 0 && ++near > CheckAnyFinding::kMostNear;
    });
  }

  const Input& input_;
  const CheckAnyRequest& request_;
  const Watch& watch_;
  Watch quiet_;
  Loop loop_;
  std::uint64_t samples_ = 0;          ///< samples of a random order
  bool decided_ = false;               ///< all orders give one result, or none gives any of these
  std::vector<GivenResult> given_;     ///< AnyValue::given of each value
  std::vector<KeyInterval> readings_;  ///< and what it may be
  CheckAnyFinding finding_;
};

}  // namespace

AnyVerdict CheckAnyFinding::verdict() const {
  AnyVerdict worst = AnyVerdict::explained;
  for (const AnyValue& value : values) worst = std::max(worst, value.verdict);
  return worst;
}

std::uint64_t CheckAnyFinding::exact() const {
  const Format format = input.formats.result;
  std::uint64_t count = 0;
  for (const AnyValue& value : values)
    if (value.given.read_exactly(format).holds(ordered_key(format, exact_bits))) count += value.given.count;
  return count;
}

std::optional<CheckAnyFinding> check_any(const Input& input, const CheckAnyRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  kCheckAnyOptions.check(request);
  return unless_stopped([&] { return CheckAny(input, request, watch).run(); }).value_or(std::nullopt);
}

}  // namespace orderlab::study
