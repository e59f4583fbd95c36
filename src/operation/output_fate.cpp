// Which outputs no arrival order can change.
#include <algorithm>
#include <functional>

#include "core/float_environment.hpp"
#include "operation/accumulator.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

namespace {

// The first three tiles are the same for all distances: tile 1 adds to tile 0, and tile 2 has ((tile 0 + tile 1) + tile
// 2), whether it or tile 1 has added the first two.
OutputFate fate_in_scan(const PrefixScan& scan, std::size_t r) {
  constexpr std::size_t kFirstTiles = 3;
  if (!scan.drawn()) return OutputFate::fixed_order;
  const std::size_t output = scan.last_only ? scan.extent - 1 : r;
  if (output < scan.exact_outputs) return OutputFate::exact;
  return output < kFirstTiles * scan.tile() ? OutputFate::first_tiles : OutputFate::varies;
}

}  // namespace

OutputFate fate_of(const LoweredOperation& operation, std::size_t r) {
  const FloatEnvironment environment;
  if (operation.scan) return fate_in_scan(*operation.scan, r);
  if (operation.finished) return fate_of(*operation.finished->sums, r / operation.finished->elements);
  const OutputAddition& addition = operation.addition;
  if (!addition.arrives) {
    if (!operation.adds_by_plans()) return OutputFate::fixed_order;
    const Plan* plan = operation.plan_of(r);
    if (plan == nullptr) return OutputFate::no_contribution;
    return plan->random_count() > 1 ? OutputFate::varies : OutputFate::fixed_order;
  }
  const Contributions& rows = operation.rows;
  const std::size_t count = rows.row_length(r);
  if (count == 0) return OutputFate::no_contribution;
  if (addition.tail != nullptr) return count > 1 ? OutputFate::varies : OutputFate::two_operands;
  const std::size_t from_start = addition.start == AccumulatorStart::initial && rows.initial ? 1 : 0;
  if (count + from_start < 3) return OutputFate::two_operands;
  const auto units = std::span(rows.unit).subspan(rows.row_begin[r], count);
  if (std::adjacent_find(units.begin(), units.end(), std::not_equal_to<>()) == units.end()) return OutputFate::one_unit;
  if (addition.combine == Combine::multiply) return OutputFate::varies;
  const bool exact = with_type_of(operation.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    return all_sums_exact(start_of<T>(operation, r, count), row_of<T>(rows, r), addition.flush);
  });
  return exact ? OutputFate::exact : OutputFate::varies;
}

}  // namespace orderlab
