// Which outputs no arrival order can change.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "operation/accumulator.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

namespace detail {

bool sums_exact(double start, std::span<const double> row, const FormatInfo& format, bool flush) {
  int lowest = format.e_max;  // exponent of the lowest bit that is not 0, of all numbers
  double magnitude = 0;
  const auto take = [&](double x) {
    if (x == 0) return;
    constexpr int kFraction = 52;
    constexpr int kLowest = -1074;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const int field = static_cast<int>(bits >> kFraction & 0x7FF);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << kFraction) - 1);
    const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << kFraction;
    lowest = std::min(lowest, std::max(field, 1) - 1 + kLowest + std::countr_zero(significand));
    magnitude += std::fabs(x);
  };
  take(start);
  for (const double x : row) {
    if (!std::isfinite(x)) return false;
    take(x);
  }
  if (flush && lowest < format.e_min) return false;
  if (magnitude > std::ldexp(1.0, format.e_max)) return false;  // some order may overflow
  // The sum of magnitudes is rounded, so half of what a precision holds is asked for.
  return std::isfinite(start) && magnitude <= std::ldexp(1.0, lowest + format.precision - 1);
}

}  // namespace detail

OutputFate fate_of(const LoweredOperation& operation, std::size_t r) {
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
