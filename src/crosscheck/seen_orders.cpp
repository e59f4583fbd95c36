// Orders of kernels without a claim. Longer than most files: a kernel can be seen in many ways, one after the other.
#include "crosscheck/seen_orders.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "crosscheck/case_bench.hpp"
#include "crosscheck/case_inputs.hpp"
#include "crosscheck/usual_orders.hpp"
#include "orderlab/crosscheck.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/probe.hpp"
#include "probe/candidates.hpp"
#include "probe/order_text.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostProbed = 1024;  // terms: n - 1 runs at least, a second in all
constexpr std::size_t kMostNames = 4;      // names of one order, each compared with some runs
constexpr std::size_t kRepeats = 8;        // calls with equal terms: few thread blocks seldom add in another order

// The stages before what adds in the order of arrivals: the last one, or it and an `arrive` before it.
std::vector<StageCall> without_arrivals(const Order& order) {
  std::vector<StageCall> stages = order.stages();
  const auto ends_with = [&](std::string_view name) { return !stages.empty() && stages.back().stage->name == name; };
  if (ends_with("seq")) stages.pop_back();
  if (ends_with("arrive")) stages.pop_back();
  return stages;
}

// Orders whose partial sums arrive, and that are this one in launch order.
std::vector<WrittenOrder> with_arrivals(const Order& order, std::size_t n) {
  std::vector<WrittenOrder> all;
  const std::vector<StageCall> below = without_arrivals(order);
  for (const char* cell : {"seq(acc=atomic)", "seq(from=zero)"}) {
    const std::string text = (below.empty() ? "" : Order({}, below).expression() + " | ") + "arrive | " + cell;
    const Order open = parse_order(text);
    const WrittenOrder known = written(open, n);
    all.push_back(known.text == open.expression() ? WrittenOrder{text, open} : known);
  }
  return all;
}

// No mask shows where such an order adds.
bool hides_its_tree(const WrittenOrder& order) { return has_accumulator(order.order, {"neumaier", "kahan"}); }

class ShapeProbe {
 public:
  ShapeProbe(const Executor& executor, const Formats& formats, std::size_t shape, const CrossCheckOptions& options)
      : executor_(executor), formats_(formats), shape_(shape), options_(options), names_(built_in_vocabulary()) {
    watch_.stop = options.stop;
    likely_ = usual_orders(executor.kernel->shapes[shape], executor.kernel->products);
  }

  std::vector<SeenOrder> run() {
    const std::set<std::size_t> sizes(options_.sizes.begin(), options_.sizes.end());
    const auto beyond = sizes.upper_bound(kMostProbed);
    if (beyond == sizes.begin()) look(kMostProbed);  // for the orders that it shows
    std::vector<SeenOrder> all;
    for (auto n = std::make_reverse_iterator(beyond); n != sizes.rend() && !stopped(); ++n) all.push_back(look(*n));
    std::reverse(all.begin(), all.end());
    for (auto n = beyond; n != sizes.end() && !stopped(); ++n) all.push_back(compare(*n));
    if (stopped()) all.clear();
    put_common_first(all);
    return all;
  }

 private:
  bool stopped() const { return options_.stop.stop_requested(); }
  const KernelInfo& kernel() const { return *executor_.kernel; }
  SeenOrder nothing(std::size_t n) const { return {.shape = kernel().shapes[shape_], .n = n}; }

  SeenOrder look(std::size_t n) {
    SeenOrder seen = nothing(n);
    try {
      const bool adds_atomically = kernel().unit != ArrivalUnit::none;
      if (!adds_atomically || !look_for_arrivals(seen)) look_at_drawn(seen);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsupported && error.kind() != ErrorKind::device) throw;
      seen.fault = error.kind() == ErrorKind::device;
      seen.reason = error.what();
    }
    return seen;
  }

  // Whether its float atomics add up what some order leaves.
  bool look_for_arrivals(SeenOrder& seen) {
    std::vector<WrittenOrder> open = open_;
    if (const auto probed = probe(seen, launch_order()))
      for (const WrittenOrder& order : probed->orders) {
        if (open.size() >= open_.size() + 2 * kMostNames) break;
        add_new(open, with_arrivals(order.order, seen.n));
      }
    const std::vector<WrittenOrder> holding = those_that_hold(open, seen.n);
    if (holding.empty()) return false;
    put_first(open_, holding);
    seen.verdict = ProbeVerdict::random;
    take_texts(holding, seen);
    return true;
  }

  void look_at_drawn(SeenOrder& seen) {
    const auto probed = probe(seen, std::nullopt);
    if (!probed) return;
    seen.verdict = probed->verdict;
    seen.reason = probed->reason;
    const bool named = probed->verdict == ProbeVerdict::named;
    if (named && float_atomics(seen.n) > 1) return take_in_turn(seen, probed->orders.front().text);
    if (named) return take_named(*probed, seen);
    if (const auto in_turn = probe(seen, launch_order()); in_turn && in_turn->verdict == ProbeVerdict::named) {
      take_in_turn(seen, in_turn->orders.front().text);
    } else if (probed->verdict == ProbeVerdict::data_dependent) {
      std::vector<WrittenOrder> compensated = likely_;
      std::erase_if(compensated, [](const WrittenOrder& order) { return !hides_its_tree(order); });
      const std::vector<WrittenOrder> holding = those_by_bits(compensated, seen.n);
      put_first(likely_, holding);
      if (!holding.empty()) return take_by_bits(holding, seen);
    }
    take_texts(probed->orders, seen);
  }

  // With few partial sums, all orders of arrival can give one sum.
  static void take_in_turn(SeenOrder& seen, const std::string& order) {
    seen.verdict = ProbeVerdict::random;
    seen.reason = "in launch order: " + order;
  }

  // How many a run over n terms does.
  std::size_t float_atomics(std::size_t n) const {
    const std::string claim;
    const Case c{&executor_, formats_, 0, n, options_.seed, 1, &names_, &claim};
    const CaseTerms terms(c);
    return run_of(c, terms, launch_order()).float_atomics;
  }

  void take_named(const ProbedOrder& probed, SeenOrder& seen) {
    std::vector<WrittenOrder> orders = those_that_hold(probed.orders, seen.n);
    if (orders.empty()) {
      orders = probed.orders;
      seen.reason = "but for some terms, such as subnormal numbers, its bits are others";
    }
    if (seen.n > 1) {
      put_first(likely_, orders);
      put_first(seen_, orders);
    }
    take_texts(orders, seen);
  }

  static void take_by_bits(const std::vector<WrittenOrder>& orders, SeenOrder& seen) {
    seen.verdict = ProbeVerdict::named;
    seen.reason = "by its bits alone";
    take_texts(orders, seen);
  }

  std::optional<ProbedOrder> probe(SeenOrder& seen, const std::optional<simt::Schedule>& schedule) {
    const BoxMaker box = kernel_box(executor_, seen.shape, formats_, schedule, options_.seed);
    auto probed =
        probe_setting(box, {.n = seen.n, .format = formats_.terms}, {.repeats = kRepeats, .likely = likely_}, watch_);
    if (probed) seen.calls += probed->calls;
    return probed;
  }

  // Orders of smaller sizes, for so many terms that a probe takes long.
  SeenOrder compare(std::size_t n) {
    SeenOrder seen = nothing(n);
    if (const std::vector<WrittenOrder> open = those_that_hold(open_, n); !open.empty()) {
      seen.verdict = ProbeVerdict::random;
      take_texts(open, seen);
    } else if (const std::size_t atomics = float_atomics(n); atomics > 1) {
      seen.verdict = ProbeVerdict::random;
      seen.reason = std::to_string(atomics) + " float atomics, and no order of arrival seen below has these bits";
    } else if (const std::vector<WrittenOrder> fixed = those_by_bits(seen_, n); !fixed.empty()) {
      take_by_bits(fixed, seen);
    } else {
      seen.reason =
          "more than " + std::to_string(kMostProbed) + " terms are not probed, and no order seen below has these bits";
    }
    return seen;
  }

  std::vector<WrittenOrder> those_that_hold(const std::vector<WrittenOrder>& orders, std::size_t n) const {
    std::vector<WrittenOrder> holding;
    for (const WrittenOrder& order : orders)
      if (holding.size() < kMostNames && !stopped() && holds(order.text, n)) holding.push_back(order);
    return holding;
  }

  // Among these, those that hold where so many orders would not by chance: log2 of how few usual orders give each sum
  // adds up to more than log2 of their number, and a margin.
  std::vector<WrittenOrder> those_by_bits(const std::vector<WrittenOrder>& orders, std::size_t n) const {
    constexpr double kMargin = 10;
    constexpr std::uint64_t kMostCases = 64;
    std::vector<WrittenOrder> left = those_that_hold(orders, n);
    const std::vector<WrittenOrder> rivals = usual_orders(kernel().shapes[shape_], kernel().products);
    const double enough = std::log2(static_cast<double>(std::max<std::size_t>(orders.size(), 1))) + kMargin;
    double bits = 0;
    for (std::uint64_t s = 0; s < kMostCases && bits < enough && !left.empty() && !stopped(); ++s) {
      const std::string claim;
      const Case c{&executor_, formats_, 0, n, options_.seed + s, 1, &names_, &claim};
      const CaseTerms terms(c);
      const std::uint64_t sum = run_of(c, terms, drawn_schedule(n, shape_, c.seed, 0)).bits;
      const auto has_it = [&](const WrittenOrder& order) { return sum_of(order.order, terms) == sum; };
      std::erase_if(left, std::not_fn(has_it));
      const auto equal = std::count_if(rivals.begin(), rivals.end(), [&](const WrittenOrder& rival) {
        return !left.empty() && rival.text != left.front().text && has_it(rival);
      });
      bits += std::log2(static_cast<double>(rivals.size() + 1) / static_cast<double>(equal + 1));
    }
    if (bits < enough) left.clear();
    return left;
  }

  // Empty where it is not an order of so many terms.
  std::optional<std::uint64_t> sum_of(const Order& order, const CaseTerms& terms) const {
    try {
      const auto evaluator = Evaluator::make(order, terms.added(), formats_, options_.seed);
      return evaluator->evaluate(0, *evaluator->make_scratch()).bits;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::unsupported) throw;
      return std::nullopt;
    }
  }

  KernelRun run_of(const Case& c, const CaseTerms& terms, const simt::Schedule& schedule) const {
    return executor_.run(
        {.terms = terms.inputs.view(), .shape = c.kernel().shapes[shape_], .schedule = schedule, .formats = formats_});
  }

  // Whether the cases of a cross-check that claims this order have its bits.
  bool holds(const std::string& claim, std::size_t n) const {
    CrossCheckRow row;
    try {
      for (std::uint64_t s = 0; s < options_.seeds; ++s) {
        const Case c{&executor_, formats_, 0, n, options_.seed + s, options_.samples, &names_, &claim};
        const auto bench = CaseBench::make(c);
        for (std::uint64_t sample = 0; sample < c.samples; ++sample)
          if (bench->check(shape_, sample, row)) return false;
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::unsupported) throw;
      return false;  // not an order of so many terms, or of these atomics
    }
    return true;
  }

  static void add_new(std::vector<WrittenOrder>& to, const std::vector<WrittenOrder>& orders) {
    for (const WrittenOrder& order : orders)
      if (std::none_of(to.begin(), to.end(), [&](const WrittenOrder& other) { return other.text == order.text; }))
        to.push_back(order);
  }

  static void take_texts(const std::vector<WrittenOrder>& orders, SeenOrder& seen) {
    for (const WrittenOrder& order : orders) seen.orders.push_back(order.text);
  }

  static void put_first(std::vector<WrittenOrder>& to, std::vector<WrittenOrder> orders) {
    add_new(orders, to);
    to = std::move(orders);
  }

  static void put_common_first(std::vector<SeenOrder>& all) {
    const auto is_common = [&](const std::string& text) {
      return std::all_of(all.begin(), all.end(), [&](const SeenOrder& seen) {
        return std::find(seen.orders.begin(), seen.orders.end(), text) != seen.orders.end();
      });
    };
    if (all.empty()) return;
    std::vector<std::string> common;
    for (const std::string& text : all.back().orders)
      if (is_common(text)) common.push_back(text);
    for (SeenOrder& seen : all) {
      std::vector<std::string> orders = common;
      for (const std::string& text : seen.orders)
        if (std::find(common.begin(), common.end(), text) == common.end()) orders.push_back(text);
      seen.orders = std::move(orders);
    }
  }

  const Executor& executor_;
  Formats formats_;
  std::size_t shape_;
  const CrossCheckOptions& options_;
  Vocabulary names_;
  ProbeWatch watch_;
  std::vector<WrittenOrder> likely_;  // fixed orders that were seen at other sizes, and then usual ones
  std::vector<WrittenOrder> seen_;    // those that were seen
  std::vector<WrittenOrder> open_;    // those with arrivals
};

}  // namespace

std::vector<SeenOrder> seen_orders(const Executor& executor, const Formats& formats, std::size_t shape,
                                   const CrossCheckOptions& options) {
  return ShapeProbe(executor, formats, shape, options).run();
}

}  // namespace orderlab
