#include "probe/fused_orders.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "order/stages/fused.hpp"
#include "run/fused_steps.hpp"

namespace orderlab {

namespace {

// `stage`, or that with what stands before and behind it.
std::string whole_order(const std::string& stage, const FusedOrder& order) {
  return (order.last_first ? "reverse | " : "") + stage + (order.run != 0 ? " | seq" : "");
}

std::string with_run(const std::string& arguments, std::size_t run) {
  return std::string(kFusedStageName) + "(" + arguments + (run != 0 ? ",run=" + std::to_string(run) : "") + ")";
}

// The text of a step with parameters of its own: that of the stage, which is aligned, or of a chain.
std::string text_of_step(const FusedOrder& order, FusedRounding rounding) {
  const FusedUnit& unit = order.unit;
  if (unit.step == FusedStep::chain && order.run == 0) return whole_order("seq(acc=fma)", order);
  if (unit.step != FusedStep::aligned || unit.terms == Format::fp64) return "";
  std::string arguments = std::to_string(unit.length) + ",F=" + std::to_string(unit.fraction_bits);
  if (rounding != FusedRounding::toward_zero) arguments += ",round=" + std::string(name_of(rounding));
  if (unit.terms != Format::fp16) arguments += ",terms=" + std::string(unit.factors);
  return whole_order(with_run(arguments, order.run), order);
}

class FusedOrders {
 public:
  FusedOrders(const FusedReading& reading, Format factors) : reading_(reading), factors_(factors) {}

  std::vector<FusedOrder> all() {
    add_units(0);
    if (reading_.run != 0) add_units(reading_.run);
    if (reading_.step) add_steps(*reading_.step);
    return std::move(orders_);
  }

 private:
  void add_units(std::size_t run) {
    for (const FusedUnit& unit : fused_units()) {
      if (!unit.built() || unit.terms != factors_ || unit.rounding(reading_.sums) == FusedRounding::none) continue;
      FusedOrder order{.unit = unit, .of_table = true, .run = run, .last_first = reading_.last_first};
      order.text = whole_order(with_run(std::string(unit.name), run), order);
      orders_.push_back(std::move(order));
    }
  }

  void add_steps(FusedStep step) {
    const std::optional<int> bits = reading_.fraction_bits;
    const int most = bits && !reading_.fraction_open ? *bits : kMostFraction;
    const FusedRounding nearest = FusedRounding::to_nearest;
    if (step == FusedStep::aligned && reading_.length == 2 && reading_.run == 2)
      add_step({FusedStep::pairs, 0, nearest, 0});
    if (step == FusedStep::halves)
      for (const FusedRounding rounding : roundings()) add_step({step, bits.value_or(1), rounding, reading_.run});
    else if (step != FusedStep::aligned)
      add_step({step, bits.value_or(0), nearest, reading_.run});
    // A chain may cut; what loses nothing in a step may keep many bits.
    if (step == FusedStep::aligned || step == FusedStep::chain || step == FusedStep::exact)
      for (const FusedRounding rounding : roundings())
        for (int each = step == FusedStep::exact ? most : bits.value_or(1); each <= most; ++each)
          add_step({FusedStep::aligned, each, rounding, reading_.run});
  }

  // Such as the stage has; the first one is named where several agree.
  std::vector<FusedRounding> roundings() const {
    if (reading_.rounding && *reading_.rounding != FusedRounding::none) return {*reading_.rounding};
    if (reading_.rounding) return {};
    if (reading_.sums != Format::fp32) return {FusedRounding::toward_zero, FusedRounding::to_nearest};
    return {FusedRounding::toward_zero, FusedRounding::to_nearest, FusedRounding::e8m13};
  }

  struct Step {
    FusedStep kind;
    int bits;
    FusedRounding rounding;
    std::size_t run;
  };

  void add_step(const Step& step) {
    if (!has_such_sums(step.kind)) return;
    const auto rounding_of = [&](Format sums) { return reading_.sums == sums ? step.rounding : FusedRounding::none; };
    FusedUnit unit{};
    unit.name = kFusedStageName;
    unit.step = step.kind;
    unit.factors = info(factors_).name;
    unit.terms = factors_;
    unit.length = reading_.length;
    unit.fraction_bits = step.bits;
    unit.of_fp32 = rounding_of(Format::fp32);
    unit.of_fp16 = rounding_of(Format::fp16);
    unit.of_fp64 = rounding_of(Format::fp64);
    FusedOrder order{.unit = unit, .run = step.run, .last_first = reading_.last_first};
    order.text = text_of_step(order, step.rounding);
    orders_.push_back(std::move(order));
  }

  // Steps that are not cut add in fp32, chains in fp64, too. Products of fp64 have more bits than a step's integers.
  bool has_such_sums(FusedStep step) const {
    if (factors_ == Format::fp64) return reading_.sums == Format::fp64 && step == FusedStep::chain;
    if (reading_.sums == Format::fp32) return true;
    if (reading_.sums == Format::fp64) return step == FusedStep::chain;
    return step == FusedStep::aligned || step == FusedStep::halves || step == FusedStep::exact;
  }

  static constexpr int kMostFraction = static_cast<int>(kMostFusedFraction);

  const FusedReading& reading_;
  Format factors_;
  std::vector<FusedOrder> orders_;
};

double rounded_sum(Format format, double a, double b) {
  return format == Format::fp64 ? a + b : value_of_bits(format, round_to_bits(format, a + b));
}

}  // namespace

std::vector<FusedOrder> fused_orders(const FusedReading& reading, Format factors) {
  return FusedOrders(reading, factors).all();
}

double sum_of(const FusedOrder& order, Format sums, std::span<const Factors> products) {
  const std::size_t n = products.size();
  const std::size_t run = order.run == 0 ? n : order.run;
  const std::size_t whole = n / run;
  const std::size_t rest = n % run;
  std::vector<double> factors;
  factors.reserve(2 * n);
  for (const Factors& product : products) factors.insert(factors.end(), {product.x, product.y});
  std::vector<double> runs(whole + (rest > 0 ? 1 : 0));
  add_fused(order.unit, sums, {factors.data(), whole, run, run}, std::span(runs).first(whole));
  if (rest > 0) add_fused(order.unit, sums, {&factors[2 * run * whole], 1, rest, rest}, std::span(runs).last(1));
  return std::accumulate(runs.begin() + 1, runs.end(), runs.front(),
                         [&](double total, double sum) { return rounded_sum(sums, total, sum); });
}

}  // namespace orderlab
