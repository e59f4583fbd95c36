#include "orderlab/study/check_any.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "core/float_environment.hpp"
#include "engine/arena.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/check.hpp"
#include "orderlab/ulp.hpp"
#include "probe/hypotheses.hpp"
#include "study/bound_order.hpp"
#include "study/check_samples.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

// Additions of the samples of a random order that is tried even where others explain all results: about a second.
constexpr double kQuickAdditions = 0x1p28;

// Up to so many terms the orders are evaluated side by side; with more, one by one, each in parallel, so that memory
// holds the partial sums of one.
constexpr std::uint64_t kSideBySideTerms = 1 << 16;

bool holds(Format format, double result) {
  return std::isnan(result) || value_of_bits(format, round_to_bits(format, result)) == result;
}

/// Steps from the sum to the nearest of the results; empty unless it and one of them are finite.
std::optional<std::uint64_t> nearest_result(Format format, std::uint64_t sum, const std::vector<GivenResult>& given) {
  std::optional<std::uint64_t> least;
  if (!std::isfinite(value_of_bits(format, sum))) return least;
  for (const GivenResult& result : given) {
    if (!std::isfinite(value_of_bits(format, result.bits))) continue;
    const std::uint64_t distance = ulp_distance(format, sum, result.bits);
    if (!least || distance < *least) least = distance;
  }
  return least;
}

/// What candidates are ranked by: less is better.
auto rank_of(const OrderCandidate& c) {
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  const int kind = c.verdict == Verdict::explained ? 0 : c.explained > 0 ? 1 : c.random ? 3 : 2;
  const std::uint64_t missed = kind == 1 ? kNone - c.explained : 0;
  const std::uint64_t far = c.random ? c.distinct.value_or(kNone) : kind == 2 ? c.distance_ulp.value_or(kNone) : 0;
  return std::tuple(kind, missed, c.random, far);
}

class CheckAny {
 public:
  CheckAny(const Input& input, const CheckAnyRequest& request, const Watch& watch)
      : input_(input), request_(request), watch_(watch), loop_(loop_on(request.threads)) {
    quiet_ = watch;
    quiet_.announces = {};
    quiet_.notes = {};
    finding_.input = input.facts;
    finding_.confidence = request.confidence;
    finding_.seed = request.seed;
    finding_.samples_asked = request.samples;
    finding_.memory_bytes = static_cast<std::uint64_t>(request.memory_bytes);
    finding_.exact_bits = input.facts.exact.round_to(input.facts.formats.result);
  }

  // Empty when interrupted before any order was tried.
  std::optional<CheckAnyFinding> run() {
    take_results();
    samples_ = samples_to_check(request_.samples, request_.confidence, finding_.results, input_.facts.n, false);
    try_fixed(input_.facts.formats);
    if (!explained_ && finding_.given.size() == 1) try_wider();  // no fixed order gives two results
    try_random();
    finding_.partial = stopped();
    if (finding_.candidates.empty()) return std::nullopt;
    rank();
    return std::move(finding_);
  }

 private:
  bool stopped() const { return watch_.stop.stop_requested(); }

  void take_results() {
    if (request_.results.empty() && request_.given.empty())
      throw RequestError(ErrorKind::usage, "no result to check: give one or more in `results`");
    const Format format = input_.facts.formats.result;
    std::map<std::int64_t, GivenResult> distinct;
    for (const double result : request_.results) {
      const std::uint64_t bits = round_to_bits(format, result);
      const auto [at, added] = distinct.try_emplace(ordered_key(format, bits), GivenResult{bits, 1});
      if (!added) ++at->second.count;
      if (!holds(format, result)) ++finding_.rounded;
    }
    for (const GivenResult& result : request_.given) {
      const auto [at, added] = distinct.try_emplace(ordered_key(format, result.bits), result);
      if (!added) at->second.count += result.count;
    }
    for (const auto& [key, result] : distinct) finding_.given.push_back(result);
    finding_.results = request_.results.size() + request_.given.size();
  }

  void try_fixed(const Formats& formats) {
    const bool asked = formats == input_.facts.formats;
    const auto to_try = unless_stopped([&] { return orders_to_try(formats.accumulate); });
    if (!to_try) return;
    const std::vector<Hypothesis>& all = *to_try;
    const WatchedStage stage(watch_, "orders");
    std::vector<std::optional<OrderCandidate>> found(all.size());
    const bool side_by_side = input_.facts.n <= kSideBySideTerms;
    const Loop one_by_one = serial_loop;
    const Loop& within = side_by_side ? one_by_one : loop_;
    unless_stopped([&] {
      counted(side_by_side ? loop_ : one_by_one)(all.size(), [&](std::size_t i) {
        if (!stopped()) found[i] = evaluated(all[i], formats, within);
      });
      return true;
    });
    std::set<std::uint64_t> sums;
    for (std::optional<OrderCandidate>& one : found) {
      if (!one) continue;
      if (asked) {
        ++finding_.fixed_tried;
        sums.insert(*one->bits);
      }
      if (asked || one->verdict == Verdict::explained) take(std::move(*one));
    }
    if (asked) finding_.fixed_sums = sums.size();
  }

  std::vector<Hypothesis> orders_to_try(Format accumulate) {
    const WatchedStage stage(watch_, "trees of orders");
    return hypotheses(input_.facts.n, input_.facts.products, accumulate, counted(loop_), watch_.stop);
  }

  // `loop`, which has to outlive it, telling the watch how far it is.
  Loop counted(const Loop& loop) const {
    return [this, &loop](std::size_t count, const std::function<void(std::size_t)>& body) {
      std::mutex one_at_a_time;
      std::size_t done = 0;
      loop(count, [&](std::size_t part) {
        body(part);
        const std::lock_guard lock(one_at_a_time);
        advance(++done, count);
      });
    };
  }

  void advance(std::size_t done, std::size_t total) const {
    call_back(watch_.advances, Progress{done, total, static_cast<double>(done) / static_cast<double>(total)});
  }

  OrderCandidate evaluated(const Hypothesis& hypothesis, const Formats& formats, const Loop& within) const {
    const auto evaluator = Evaluator::make(hypothesis.order, input_.terms.view(), formats, request_.seed, within);
    OrderCandidate found{.text = hypothesis.text, .expression = hypothesis.order.expression(), .formats = formats};
    found.bits = evaluator->evaluate(0, *evaluator->make_scratch()).bits;
    for (const GivenResult& result : finding_.given)
      if (result.read_widely(formats.result).holds(ordered_key(formats.result, *found.bits)))
        found.explained += result.count;
    found.verdict = found.explained == finding_.results ? Verdict::explained : Verdict::impossible;
    found.distance_ulp = nearest_result(formats.result, *found.bits, finding_.given);
    return found;
  }

  void take(OrderCandidate found) {
    explained_ = explained_ || found.verdict == Verdict::explained;
    finding_.candidates.push_back(std::move(found));
  }

  /// The quick ones, then the others from the quickest on while no order explains all results.
  void try_random() {
    std::vector<std::pair<double, std::string_view>> long_ones;  // additions, name
    for (const NamedOrder& named : named_orders()) {
      const Order order = parse_order(named.name);
      if (!order.random() || !valid(order)) continue;
      if (stopped()) return;
      const double additions = static_cast<double>(samples_) * static_cast<double>(drawn_partial_sums(order));
      if (additions <= kQuickAdditions)
        judge(named.name, order);
      else
        long_ones.emplace_back(additions, named.name);
    }
    std::stable_sort(long_ones.begin(), long_ones.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (const auto& [additions, name] : long_ones) {
      if (stopped()) return;
      if (explained_)
        finding_.not_sampled.emplace_back(name);
      else
        judge(name, parse_order(name));
    }
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

  void judge(std::string_view name, const Order& order) {
    const CheckRequest request{.order = order,
                               .results = request_.results,
                               .given = request_.given,
                               .confidence = request_.confidence,
                               .samples = request_.samples,
                               .seed = request_.seed,
                               .memory_bytes = request_.memory_bytes,
                               .threads = request_.threads};
    const std::optional<CheckFinding> judged = check(input_, request, quiet_);
    if (!judged || judged->partial) return;  // too few samples for a verdict
    OrderCandidate found{.text = std::string(name),
                         .expression = order.expression(),
                         .formats = input_.facts.formats,
                         .random = true,
                         .verdict = judged->result.verdict()};
    for (const ValueVerdict& value : judged->result.values)
      if (value.verdict == Verdict::explained) found.explained += value.given;
    if (judged->all) {
      found.orders = judged->all->orders.str();
      found.distinct = judged->all->results.size();
    } else {
      found.samples = judged->samples->samples();
      if (!judged->samples->binned()) found.distinct = judged->samples->distinct();
    }
    found.p = judged->result.p();
    take(std::move(found));
  }

  void try_wider() {
    for (const Format accumulate : {Format::fp32, Format::fp64}) {
      Formats formats = input_.facts.formats;
      if (stopped() || info(accumulate).precision <= info(formats.accumulate).precision) continue;
      formats.accumulate = accumulate;
      finding_.wider.push_back(formats);
      try_fixed(formats);
      if (explained_) return;
      if (stopped()) finding_.wider.pop_back();  // not all were tried
    }
  }

  void rank() {
    auto& all = finding_.candidates;
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return rank_of(a) < rank_of(b); });
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
  std::uint64_t samples_ = 0;  ///< of a random order
  bool explained_ = false;     ///< all results, by some order
  CheckAnyFinding finding_;
};

}  // namespace

std::uint64_t CheckAnyFinding::exact() const {
  for (const GivenResult& result : given)
    if (result.bits == exact_bits) return result.count;
  return 0;
}

std::optional<CheckAnyFinding> check_any(const Input& input, const CheckAnyRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  return unless_stopped([&] { return CheckAny(input, request, watch).run(); }).value_or(std::nullopt);
}

}  // namespace orderlab::study
