// The verdict on a box that may add in fused steps: read, then held to random products.
#include "orderlab/fused_probe.hpp"

#include <algorithm>
#include <utility>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "orderlab/error.hpp"
#include "probe/first_answers.hpp"
#include "probe/fused_calls.hpp"
#include "probe/fused_orders.hpp"
#include "probe/fused_reading.hpp"
#include "probe/random_products.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kRandomCalls = 200;
constexpr std::uint64_t kInputsTried = 400;  // of which those are asked that tell orders apart
constexpr std::size_t kOrdersTold = 64;      // orders that are told apart: more have a parameter that nothing shows

class FusedProber {
 public:
  FusedProber(AskedBox& box, const Formats& formats, std::size_t repeats)
      : box_(box), calls_(box, formats.terms), repeats_(repeats) {}

  FusedProbe probe() {
    found_.reading = read();
    ask_random();
    if (varies()) {
      found_.reason = "calls with equal products differ";
      return found_;
    }
    require_digits(box_, digits_of(sums()));
    judge();
    if (found_.verdict == FusedVerdict::not_fused) judge_backward();
    found_.random = box_.calls() - found_.directed - found_.repeated;
    return found_;
  }

 private:
  Format sums() const { return found_.reading.sums; }

  FusedReading read() {
    const std::uint64_t before = box_.calls();
    box_.begin("steps", 2 * box_.n());
    FusedReading reading = read_fused_steps(calls_);
    found_.directed += box_.calls() - before;
    return reading;
  }

  // Steps may go from the last products to the first. What was found the other way stays where they do not.
  void judge_backward() {
    calls_.turn();
    FusedProbe forward = found_;
    found_.reading = read();
    found_.reading.last_first = true;
    found_.reason.clear();
    found_.disagrees.reset();
    judge();
    forward.directed = found_.directed;
    if (found_.verdict == FusedVerdict::not_fused) found_ = std::move(forward);
  }

  void ask_random() {
    box_.begin("random products", kRandomCalls);
    for (std::uint64_t i = 0; i < kRandomCalls; ++i) calls_.ask(random_products(calls_.factors(), sums(), box_.n(), i));
    found_.random = kRandomCalls;
  }

  bool varies() {
    const auto last = calls_.all().last(kRandomCalls);
    const std::vector<FusedCall> asked(last.begin(), last.end());
    constexpr std::size_t kAskedAgain = 8;
    for (std::size_t again = 1; again < repeats_; ++again)
      for (std::size_t i = 0; i < kAskedAgain; ++i) {
        ++found_.repeated;
        if (!same_answer(calls_.ask(asked[i].products), asked[i].answer)) return true;
      }
    return false;
  }

  bool agrees(const FusedOrder& order, const FusedCall& call) const {
    stop_point();
    return same_answer(sum_of(order, sums(), call.products), call.answer);
  }

  // The number of the first call with another answer; that of all calls where there is none.
  std::size_t first_other(const FusedOrder& order) const {
    const auto calls = calls_.all();
    const auto other = [&](const FusedCall& call) { return !agrees(order, call); };
    return static_cast<std::size_t>(std::find_if(calls.begin(), calls.end(), other) - calls.begin());
  }

  void judge() {
    const std::vector<FusedOrder> orders = fused_orders(found_.reading, calls_.factors());
    std::vector<FusedOrder> agreeing;
    const FusedOrder* nearest = nullptr;
    std::size_t furthest = 0;
    for (const FusedOrder& order : orders) {
      const std::size_t other = first_other(order);
      if (other == calls_.all().size()) agreeing.push_back(order);
      if (nearest == nullptr || other > furthest) {
        nearest = &order;
        furthest = other;
      }
    }
    if (agreeing.empty()) {
      found_.reason = "no step that is known gives all its answers";
      if (nearest != nullptr) found_.disagrees = disagreement(*nearest, furthest);
      return;
    }
    tell_apart(agreeing);
    report(agreeing);
  }

  FusedDisagreement disagreement(const FusedOrder& order, std::size_t number) const {
    const FusedCall& call = calls_.all()[number];
    return {order.text, number + 1, call.products, sum_of(order, sums(), call.products), call.answer};
  }

  // Asks products that the orders sum differently, those with the most different sums first, until there are none.
  void tell_apart(std::vector<FusedOrder>& orders) {
    std::uint64_t tried = kRandomCalls;
    while (orders.size() > 1) {
      std::vector<Factors> best;
      std::size_t most = 1;
      for (std::uint64_t i = 0; i < kInputsTried; ++i) {
        std::vector<Factors> products = random_products(calls_.factors(), sums(), box_.n(), tried++);
        if (const std::size_t different = different_sums(orders, products); different > most) {
          most = different;
          best = std::move(products);
        }
      }
      if (best.empty()) return;
      calls_.ask(std::move(best));
      const FusedCall& call = calls_.all().back();
      std::erase_if(orders, [&](const FusedOrder& order) { return !agrees(order, call); });
    }
  }

  std::size_t different_sums(const std::vector<FusedOrder>& orders, std::span<const Factors> products) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < std::min(orders.size(), kOrdersTold); ++i) {
      stop_point();
      const double sum = sum_of(orders[i], sums(), products);
      if (std::none_of(found.begin(), found.end(), [&](double other) { return same_answer(sum, other); }))
        found.push_back(sum);
    }
    return found.size();
  }

  // Orders without runs come first. What the first one does was read, or the answers leave nothing else.
  void report(const std::vector<FusedOrder>& orders) {
    const FusedOrder& first = orders.front();
    FusedReading& reading = found_.reading;
    reading.step = first.unit.step;
    reading.length = std::min({first.unit.length, box_.n(), first.run != 0 ? first.run : box_.n()});
    reading.run = first.run;
    const int bits = first.unit.fraction_bits;
    reading.fraction_bits = bits > 0 ? std::optional(bits) : std::nullopt;
    const FusedRounding rounding = first.unit.rounding(sums());
    const auto alike = [&](const FusedOrder& order) { return order.unit.rounding(sums()) == rounding; };
    if (std::all_of(orders.begin(), orders.end(), alike)) reading.rounding = rounding;
    for (const FusedOrder& order : orders)
      if (order.run == first.run) add(order, orders);
    found_.verdict = found_.units.empty() ? FusedVerdict::revealed : FusedVerdict::named;
  }

  void add(const FusedOrder& order, const std::vector<FusedOrder>& all) {
    if (order.of_table) {
      found_.units.push_back(order.text);
    } else if (order.text.empty()) {
      found_.words = summary_of(order.unit.step);
    } else if (keeps_more_than_another(order, all)) {
      found_.reading.fraction_open |= found_.reading.step == FusedStep::aligned;
    } else {
      found_.described.push_back(order.text);
    }
  }

  // Of steps that agree and differ in F alone, the one with the least is named; a chain before those that cut.
  static bool keeps_more_than_another(const FusedOrder& order, const std::vector<FusedOrder>& all) {
    return std::any_of(all.begin(), all.end(), [&](const FusedOrder& other) {
      FusedUnit same = other.unit;
      same.fraction_bits = order.unit.fraction_bits;
      const bool chain = other.unit.step == FusedStep::chain && order.unit.step == FusedStep::aligned;
      return !other.of_table && (chain || (same == order.unit && other.unit.fraction_bits < order.unit.fraction_bits));
    });
  }

  AskedBox& box_;
  FusedCalls calls_;
  std::size_t repeats_;
  FusedProbe found_;
};

}  // namespace

std::optional<FusedProbe> probe_fused(const BoxMaker& maker, std::size_t n, const Formats& formats, std::size_t repeats,
                                      const ProbeWatch& watch) {
  const FloatEnvironment environment;
  if (!maker.products)
    throw Error(ErrorKind::usage, maker.name + ": takes one input; steps that add products need a box of two");
  if (n < kFewestProbedProducts || n > kMostProbedProducts)
    throw Error(ErrorKind::usage, "a probe of steps with " + std::to_string(n) + " products: must be from " +
                                      std::to_string(kFewestProbedProducts) + " to " +
                                      std::to_string(kMostProbedProducts));
  const StopScope scope(watch.stop);
  return unless_stopped([&] {
    AskedBox box(maker, {.n = n, .format = passed_format(formats.terms)}, watch);
    return FusedProber(box, formats, repeats).probe();
  });
}

}  // namespace orderlab
