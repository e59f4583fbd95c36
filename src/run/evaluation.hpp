// How every evaluation ends: the last partial sum becomes a result.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "run/extended.hpp"

namespace orderlab {

/// Error(usage) for an order, given to Evaluator::evaluate_arranged, of another number of partial sums.
inline void require_all_arranged(std::size_t given, std::size_t random_count) {
  if (given == random_count) return;
  throw Error(ErrorKind::usage, "an order of " + std::to_string(given) +
                                    " partial sums was given; the first random stage arranges " +
                                    std::to_string(random_count));
}

/// The evaluation of an order that ended with `sum`, of the accumulate format unless the order changes formats: rounded
/// to the result format, for which the bounds get an allowance.
template <class T>
Evaluation evaluation_of(T sum, const Formats& formats, std::uint64_t height, RunningError error) {
  const std::uint64_t bits = round_to_bits(formats.result, before_result(sum, formats.result));
  const double value = value_of_bits(formats.result, bits);
  bool exact = false;
  if constexpr (std::is_same_v<T, Extended>)
    exact = Extended(value) == sum;
  else
    exact = value == static_cast<double>(sum);
  if (!exact && (formats.result != formats.accumulate || !std::isnan(value))) {
    const FormatInfo& f = info(formats.result);
    error.extra += f.unit_roundoff() * std::fabs(value) + f.underflow_unit();
    ++error.allowances;
  }
  return {bits, value, height, error};
}

}  // namespace orderlab
