// Which outputs no arrival order can change.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "core/float_environment.hpp"
#include "operation/accumulator.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

void ExactSums::add(double x) {
  finite_ = finite_ && std::isfinite(x);
  if (x == 0 || !finite_) return;
  constexpr int kFraction = 52;
  constexpr int kLowest = -1074;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const int field = static_cast<int>(bits >> kFraction & 0x7FF);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kFraction) - 1);
  const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << kFraction;
  lowest_ = std::min(lowest_, std::max(field, 1) - 1 + kLowest + std::countr_zero(significand));
  magnitude_ += std::fabs(x);
}

bool ExactSums::in(const FormatInfo& format, bool flush) const {
  const int lowest = std::min(lowest_, format.e_max);
  if (!finite_ || (flush && lowest < format.e_min)) return false;
  if (magnitude_ > std::ldexp(1.0, format.e_max)) return false;  // some order may overflow
  // The sum of magnitudes is rounded, so half of what a precision holds is asked for.
  return magnitude_ <= std::ldexp(1.0, lowest + format.precision - 1);
}

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
