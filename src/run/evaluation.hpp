// How every evaluation ends: the last partial sum becomes a result.
#pragma once

#include <cmath>
#include <cstdint>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// The evaluation of an order that ended with `sum`, of the accumulate format unless the order changes formats: rounded
/// to the result format, for which the bounds get an allowance.
inline Evaluation evaluation_of(double sum, const Formats& formats, std::uint64_t height, RunningError error) {
  const std::uint64_t bits = round_to_bits(formats.result, sum);
  const double value = value_of_bits(formats.result, bits);
  if (value != sum && (formats.result != formats.accumulate || !std::isnan(value))) {
    const FormatInfo& f = info(formats.result);
    error.extra += f.unit_roundoff() * std::fabs(value) + f.underflow_unit();
    ++error.allowances;
  }
  return {bits, value, height, error};
}

}  // namespace orderlab
