// The units that errors are reported in. A unit may not be a double itself.
#pragma once

#include <cmath>
#include <optional>

#include "core/arithmetic_guard.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// significand * 2^exponent.
struct ErrorUnit {
  double significand;
  int exponent;

  double of(double error) const { return std::ldexp(error, -exponent) / significand; }
};

/// Empty where there is nothing to relate to: a sum of 0, terms that are all 0, sums that are not finite.
struct ErrorUnits {
  std::optional<ErrorUnit> ulp;        ///< the ulp of the exact sum in the result format
  std::optional<ErrorUnit> relative;   ///< |S|
  std::optional<ErrorUnit> u_sum_abs;  ///< u A of the accumulate format

  ErrorUnits(const ExactValue& exact, const ExactValue& sum_abs, const Formats& formats) {
    if (!exact.finite()) return;
    ulp = ErrorUnit{1, exact.ulp_exponent(formats.result)};
    if (!exact.zero()) relative = magnitude_of(exact);
    if (sum_abs.zero() || !sum_abs.finite()) return;
    u_sum_abs = magnitude_of(sum_abs);
    u_sum_abs->exponent -= info(formats.accumulate).precision;
  }

 private:
  static ErrorUnit magnitude_of(const ExactValue& value) {
    return {std::fabs(value.scaled(-value.exponent())), value.exponent()};
  }
};

}  // namespace orderlab
