#include "study/alternative_forms.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/pass.hpp"
#include "operation/finish.hpp"
#include "operation/finished_outputs.hpp"
#include "operation/scan_outputs.hpp"
#include "order/fused_units.hpp"
#include "order/stages/fused.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/plan.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab::study {

namespace {

/// An order of each row by itself. One line for each.
struct RowOrder {
  std::string name;
  std::string addition;
  std::string of_numbers;
  std::string of_products;
  std::uint64_t passes;
};

const RowOrder kRowOrders[] = {
    {"left to right", "one after the other, as a thread for each output adds them", "seq", "seq(acc=fma)", 1},
    {"fixed tree", "in halves, which are added in halves, down to single terms", "pairwise", "pairwise", 1},
    {"lanes of a warp", "32 lanes, each left to right, then a tree over the lanes", "strided(32) | halving(32)",
     "strided(32,acc=fma) | halving(32)", 1},
    {"two passes", "thread blocks of 128 leave their sums in memory, which one thread adds",
     "tile(128,1) | halving(128) | seq", "tile(128,1) | halving(128) | seq", 2},
};

/// The inputs of each output: rows of terms, or contributions.
class Inputs {
 public:
  explicit Inputs(const LoweredOperation& operation)
      : operation_(operation), rows_(operation.raw ? *operation.raw : operation.rows) {}

  bool products() const { return !of_terms() ? false : operation_.terms.parts().front().rows.products(); }
  std::size_t length(std::size_t r) const { return of_terms() ? operation_.terms.length(r) : rows_.row_length(r); }
  TermView row(std::size_t r, TermBuffer& buffer) const {
    if (of_terms()) return operation_.terms.row(r, buffer);
    return rows_.values.view().part(rows_.row_begin[r], rows_.row_length(r));
  }
  std::optional<double> initial(std::size_t r) const {
    const auto& initial = of_terms() ? operation_.rows.initial : rows_.initial;
    return initial ? std::optional(initial->view().left(r)) : std::nullopt;
  }
  Format accumulate() const { return of_terms() ? operation_.accumulates_terms_in() : operation_.formats.accumulate; }
  Format format() const { return of_terms() ? operation_.formats.terms : operation_.formats.accumulate; }

 private:
  bool of_terms() const { return !operation_.terms.empty(); }

  const LoweredOperation& operation_;
  const Contributions& rows_;
};

/// What adds the rows of one length.
struct RowPlan {
  std::shared_ptr<const Plan> plan = nullptr;
  std::unique_ptr<const orderlab::RowSums> from_start = nullptr;  ///< where a unit starts from the initial value

  double sum(const TermView& row, const std::optional<double>& initial) const {
    if (from_start == nullptr) return sum_of(*plan, row);
    double result = 0;
    from_start->evaluate({row.format, 1, row.n, row.x, row.n, row.y, row.n, &*initial}, {&result, 1});
    return result;
  }
};

FixedWay by_order(const LoweredOperation& operation, const RowOrder& row_order, const Loop& loop) {
  const Inputs inputs(operation);
  const Order order = parse_order(inputs.products() ? row_order.of_products : row_order.of_numbers);
  const Format accumulate = operation.formats.accumulate;
  FixedWay way{row_order.name,
               row_order.addition,
               order.guarantee(),
               row_order.passes,
               {},
               Terms(operation.formats.result, operation.outputs())};
  std::map<std::size_t, RowPlan> plans;
  each_in_pass(operation.outputs(), [&](std::size_t r) {
    const std::size_t n = inputs.length(r);
    const std::uint64_t from_initial = inputs.initial(r) ? 1 : 0;
    if (n == 0) return;
    way.count.additions += n - 1 + from_initial;
    RowPlan& known = plans[n];
    if (known.plan != nullptr) return;
    known.plan = compile(order, n, {inputs.format(), inputs.accumulate(), accumulate}, inputs.products());
    const bool from_start =
        from_initial != 0 && !operation.addition.initial_last && known.plan->unit_of_all() != nullptr;
    if (from_start) known.from_start = std::make_unique<const orderlab::RowSums>(known.plan);
    TermBuffer buffer;
    const auto evaluator = Evaluator::make(known.plan, inputs.row(r, buffer), 0);
    const std::uint64_t height = evaluator->evaluate(0, *evaluator->make_scratch()).height;
    way.count.height = std::max(way.count.height, height + (from_start ? 0 : from_initial));
  });
  Pass pass(operation.outputs());
  constexpr std::size_t kOutputsAtOnce = 4096;
  with_type_of(accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    loop_over(
        operation.outputs(), loop,
        [&](std::size_t begin, std::size_t count) {
          TermBuffer buffer;
          for (std::size_t r = begin; r < begin + count; ++r) {
            const std::size_t n = inputs.length(r);
            const auto initial = inputs.initial(r);
            T sum = T(0.0);
            if (n == 0) {
              if (initial) sum = round_to<T>(*initial);
            } else {
              const RowPlan& known = plans.at(n);
              sum = round_to<T>(known.sum(inputs.row(r, buffer), initial));
              if (initial && known.from_start == nullptr && !operation.addition.initial_last)
                sum = round_to<T>(*initial) + sum;
            }
            way.results.set(r, finished(operation, r, sum));
          }
          pass.did(count);
        },
        kOutputsAtOnce);
  });
  return way;
}

/// Units that give the same sums; by the one that most is known of.
RowOrder order_of_units(const std::vector<const FusedUnit*>& alike) {
  const auto recorded = [](const FusedUnit* unit) { return unit->evidence == units::kRows; };
  const auto found = std::find_if(alike.begin(), alike.end(), recorded);
  const FusedUnit& unit = found == alike.end() ? *alike.front() : **found;
  std::string addition = "L = " + std::to_string(unit.length);
  if (unit.fraction_bits > 0) addition += ", F = " + std::to_string(unit.fraction_bits);
  addition += ": " + std::string(summary_of(unit.step));
  std::string_view before = "; so do ";
  for (const FusedUnit* other : alike) {
    if (other == &unit) continue;
    addition += std::string(std::exchange(before, ", ")) + std::string(other->name);
  }
  const std::string order = std::string(kFusedStageName) + "(" + std::string(unit.name) + ")";
  return {std::string(unit.name), addition, order, order, 1};
}

/// One for each kind of unit that adds such products; not for a chain of fused multiply-adds, which is there already.
std::vector<RowOrder> orders_of_units(const LoweredOperation& operation) {
  const Inputs inputs(operation);
  if (!inputs.products()) return {};
  std::vector<std::vector<const FusedUnit*>> kinds;
  for (const FusedUnit& unit : fused_units()) {
    if (!unit.built() || unit.step == FusedStep::chain || unit.terms != inputs.format()) continue;
    if (unit.rounding(inputs.accumulate()) == FusedRounding::none) continue;
    const auto adds_alike = [&](const auto& kind) { return add_alike(*kind.front(), unit); };
    const auto known = std::find_if(kinds.begin(), kinds.end(), adds_alike);
    if (known == kinds.end())
      kinds.push_back({&unit});
    else
      known->push_back(&unit);
  }
  std::vector<RowOrder> orders;
  for (const auto& kind : kinds) orders.push_back(order_of_units(kind));
  return orders;
}

FixedWay by_scan(const LoweredOperation& operation, PrefixScan::Form form, std::string_view name,
                 std::string_view addition) {
  constexpr std::size_t kWidth = 1024;  // terms at a time: two for each of PyTorch's 512 threads
  const auto other = in_form(operation, form, kWidth);
  const auto sums = OutputSums::make(other, {}, {});
  return {std::string(name), std::string(addition), Guarantee::any_device, 1, count_additions(*other), sums->launch()};
}

}  // namespace

void visit_fixed_ways(const LoweredOperation& operation, const Loop& loop,
                      const std::function<void(FixedWay way)>& visit) {
  if (operation.scan) {
    if (operation.scan->form != PrefixScan::Form::tiles || operation.scan->exclusive || operation.scan->last_only)
      return;
    const auto anchored = with_lookback(operation, "anchors");
    visit({"anchor tiles", "look-back to the last tile whose number is a multiple of 32 (CCCL 3.5, run_to_run)",
           Guarantee::run_to_run, 1, count_additions(*anchored), OutputSums::make(anchored, {}, {})->launch()});
    visit(by_scan(operation, PrefixScan::Form::in_turn, "left to right", "((0 + a) + b) + ..., one thread"));
    visit(by_scan(operation, PrefixScan::Form::network, "network",
                  "Sklansky's network over 1024 terms at a time, one thread block"));
    visit({"Kahan", "left to right, what each addition loses is subtracted from the next term", Guarantee::any_device,
           1, count_kahan_scan(operation), kahan_scan(operation)});
    return;
  }
  if (operation.finished) {
    visit_fixed_ways(*operation.finished->sums, loop, [&](FixedWay way) {
      way.results = finished_outputs(operation, way.results, loop);
      visit(std::move(way));
    });
    return;
  }
  if (operation.computed) {
    for (ComputedWay& way : operation.computed->computation->ways())
      visit(
          {std::move(way.name), std::move(way.addition), Guarantee::run_to_run, 1, way.count, std::move(way.results)});
    return;
  }
  for (const RowOrder& order : kRowOrders) visit(by_order(operation, order, loop));
  for (const RowOrder& order : orders_of_units(operation)) visit(by_order(operation, order, loop));
}

AdditionCount count_as_it_runs(const LoweredOperation& operation) {
  if (operation.scan) return count_additions(operation);
  if (operation.finished) return count_as_it_runs(*operation.finished->sums);
  if (operation.computed) return operation.computed->computation->additions();
  const Inputs inputs(operation);
  const OutputAddition& addition = operation.addition;
  AdditionCount count;
  std::set<std::size_t> measured;
  each_in_pass(operation.outputs(), [&](std::size_t r) {
    const std::size_t n = inputs.length(r);
    const std::uint64_t from_initial = inputs.initial(r) ? 1 : 0;
    const std::uint64_t above = addition.initial_in_unit ? 0 : from_initial;  // a unit's first step adds it, too
    if (n == 0) return;
    count.additions += n - 1 + from_initial;
    const std::size_t m = operation.adds_by_plans() ? n : operation.rows.row_length(r);
    if (!measured.insert(m).second) return;
    std::uint64_t height = 0;
    if (operation.adds_by_plans()) {
      TermBuffer buffer;
      const auto evaluator = Evaluator::make(operation.plans.at(n), inputs.row(r, buffer), 0);
      height = evaluator->evaluate(0, *evaluator->make_scratch()).height + above;
    } else if (addition.tail != nullptr) {
      const Format format = operation.formats.accumulate;
      const auto evaluator =
          Evaluator::make(*addition.tail, operation.rows.values.view().part(0, m), {format, format, format}, 0);
      height = evaluator->evaluate(0, *evaluator->make_scratch()).height + above;
    } else {
      height = m - 1 + above;
    }
    count.height = std::max(count.height, height + operation.height_before);
  });
  return count;
}

std::uint64_t sorting_passes(const LoweredOperation& operation) {
  constexpr std::size_t kDigit = 8;
  if (!operation.has_rows() || !operation.terms.empty()) return 0;
  return (static_cast<std::size_t>(std::bit_width(operation.outputs() - 1)) + kDigit - 1) / kDigit;
}

}  // namespace orderlab::study
