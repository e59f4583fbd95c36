#include "operation/ordered_rows.hpp"

#include <numeric>

#include "operation/input_checks.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "run/heights.hpp"

namespace orderlab {

namespace {

bool is_arrive(const Step& step) {
  const auto* move = std::get_if<steps::Move>(&step.is);
  return move != nullptr && move->kind == steps::Move::Kind::arrive;
}

/// The accumulator of an Add of all m partial sums in turn, plain or atomic; null for any other step.
const Combination* in_turn_of_all(const Step& step, std::size_t m) {
  const auto* add = std::get_if<steps::Add>(&step.is);
  if (add == nullptr || add->groups.size() != 1 || add->how.tree != Combination::Tree::in_turn) return nullptr;
  const Groups& g = add->groups.front();
  const bool all = g.first == 0 && g.width == 1 && (g.step == 1 || m == 1) && g.members >= m && g.items >= m;
  const bool known = add->how.accumulate == Accumulate::plain || add->how.accumulate == Accumulate::atomic;
  return all && known && count_left(step, m) == 1 ? &add->how : nullptr;
}

}  // namespace

OutputAddition addition_of(const Order& order, std::size_t first, std::size_t m, const Formats& formats,
                           bool has_initial) {
  OutputAddition result;
  Order tail({}, {order.stages().begin() + static_cast<std::ptrdiff_t>(first), order.stages().end()});
  const auto plan = compile(tail, m, {formats.accumulate, formats.accumulate, formats.accumulate});
  const Combination* how = plan->steps().size() == 1 ? in_turn_of_all(plan->steps().front().step, m) : nullptr;
  if (how != nullptr || m == 1) {
    const bool atomic = how != nullptr && how->accumulate == Accumulate::atomic;
    const bool from_zero = atomic || (how != nullptr && how->from_zero);
    result.start = has_initial ? AccumulatorStart::initial
                   : from_zero ? AccumulatorStart::zero
                               : AccumulatorStart::first;
    result.flush = atomic && formats.accumulate == Format::fp32;
    return result;
  }
  result.tail = std::make_shared<const Order>(std::move(tail));
  result.start = AccumulatorStart::first;
  result.initial_last = has_initial;
  return result;
}

Launch launch_by_order(const Order& order) {
  Launch launch;
  launch.kernel = "of the order";
  launch.source = "--order";
  launch.reason = "the order says how each output is added";
  launch.addition = order.expression();
  launch.guarantee = order.guarantee();
  return launch;
}

void add_by_order(LoweredOperation& operation, const std::vector<TermRows>& rows, const Order& order,
                  std::optional<Terms> initial) {
  const std::size_t n = rows.front().n;
  const auto plan = compile(order, n, operation.formats, rows.front().products());
  const std::size_t m = plan->random_count();
  const auto drawn = plan->drawn_steps();
  bool arrives = !drawn.empty() && is_arrive(drawn.front().step);
  for (std::size_t i = 1; i < drawn.size(); ++i) arrives = arrives && !is_random(drawn[i].step);
  operation.rows.initial = std::move(initial);
  const bool has_initial = operation.rows.initial.has_value();
  for (const TermRows& part : rows) operation.terms.add(part);
  operation.launch = launch_by_order(order);
  const std::size_t outputs = operation.terms.outputs();
  require_small("number of partial sums", static_cast<double>(outputs) * static_cast<double>(m));
  const auto first_inputs = [&](const TermView& terms) { return Evaluator::make(plan, terms, 0); };
  if (arrives && !first_inputs(rows.front().row(0))->random_products().empty()) arrives = false;
  operation.addition.arrives = arrives;
  if (!arrives) {
    operation.plans = {{n, plan}};
    operation.addition.initial_in_unit = has_initial && plan->unit_of_all() != nullptr;
    operation.addition.initial_last = has_initial && !operation.addition.initial_in_unit;
    operation.addition.start = AccumulatorStart::first;
    if (has_initial)
      operation.launch.addition += operation.addition.initial_in_unit ? ", starting from self" : "; then self";
    operation.launch.unit = order.random() ? "none: each output draws an order of its own" : "none: the order is fixed";
    operation.rows.units = 1;
    return;
  }

  operation.arrival = std::get<steps::Move>(drawn.front().step.is).arrival;
  if (!plan->fixed_steps().empty()) operation.height_before = plan->heights().left.first();
  operation.addition = addition_of(order, order.first_random() + 1, m, operation.formats, has_initial);
  Contributions& made = operation.rows;
  made.values = Terms(operation.formats.accumulate, outputs * m);
  made.units = static_cast<std::uint32_t>(outputs * m);
  made.unit.resize(outputs * m);
  std::iota(made.unit.begin(), made.unit.end(), 0U);
  made.row_begin.resize(outputs + 1);
  for (std::size_t r = 0; r <= outputs; ++r) made.row_begin[r] = static_cast<std::uint32_t>(r * m);
  std::size_t r = 0;
  for (const TermRows& part : rows)
    for (std::size_t i = 0; i < part.count; ++i, ++r) {
      const std::vector<double> sums = first_inputs(part.row(i))->random_inputs();
      for (std::size_t j = 0; j < m; ++j) made.values.set(r * m + j, sums[j]);
    }
  operation.launch.unit = "the partial sums that arrive, " + std::to_string(m) + " of each output";
  operation.launch.grid = outputs * m;
}

void add_by_plans(LoweredOperation& operation, const Order& order) {
  const Format accumulate = operation.formats.accumulate;  // sums are rounded after the initial value
  const Formats formats{operation.formats.terms, accumulate, accumulate};
  bool arrives = false;
  for (const TermPart& part : operation.terms.parts()) {
    const std::size_t n = part.rows.n;
    if (n == 0 || operation.plans.count(n) != 0) continue;
    const auto plan = compile(order, n, formats, part.rows.products());
    for (const PlannedStep& drawn : plan->drawn_steps()) arrives = arrives || is_arrive(drawn.step);
    operation.plans[n] = plan;
  }
  operation.draws_alike = !arrives;
  operation.addition.arrives = false;
  operation.addition.start = AccumulatorStart::first;
  operation.addition.initial_last = operation.rows.initial.has_value();
  operation.rows.units = 1;
  operation.launch.unit = !order.random() ? "none: the order is fixed"
                          : arrives       ? "none: each output draws an order of its own"
                                          : "none: outputs of as many products share one order, drawn for each run";
}

void add_splits(LoweredOperation& operation, const std::string& name, const Order& order, std::size_t splits,
                bool has_initial) {
  const Steps first = describe(order.stages().front(), splits, operation.formats.accumulate);
  const bool fixed = !order.random();
  bool arrives = !first.empty() && is_arrive(first.front());
  for (std::size_t i = 1; i < order.stages().size(); ++i) arrives = arrives && !is_random(order.stages()[i]);
  if (!fixed && !arrives)
    throw Error(ErrorKind::usage, name +
                                      ": the order adds the sums of the splits; it must be fixed, or `arrive` its "
                                      "first and only random stage, not " +
                                      order.expression());
  operation.addition = addition_of(order, fixed ? 0 : 1, splits, operation.formats, has_initial);
  operation.addition.arrives = !fixed && splits > 1;
  if (operation.addition.arrives) operation.arrival = std::get<steps::Move>(first.front().is).arrival;
}

}  // namespace orderlab
