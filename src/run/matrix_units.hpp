// What matrix units may lose, where nobody says which unit added.
#pragma once

#include <algorithm>
#include <cmath>

#include "orderlab/format.hpp"

namespace orderlab {

/// Units of u, the unit roundoff of fp32, that an addition may be off by where a matrix unit may have added: 1 where
/// none does.
///
/// Matrix units align the products of 16-bit numbers, of which they keep 23 bits of fraction or more, and cut what is
/// below their last bit off, twice a rounding; their sums are aligned once more. Of products of 8-bit numbers some keep
/// 13 bits, and so do their sums (order/fused_units.hpp).
constexpr double matrix_unit_roundings(Format terms, bool products) {
  constexpr double kMatrixUnits = 4;
  constexpr double kEightBitUnits = kMatrixUnits * 0x1p10;
  if (!products || info(terms).precision >= info(Format::fp32).precision) return 1;
  return info(terms).bits == 8 ? kEightBitUnits : kMatrixUnits;
}

/// What a matrix unit may make of a product beside its roundings, upper bound: it may flush a subnormal factor to 0, or
/// align the product as if such a factor were as large as the least normal number. 0 where no factor is subnormal.
inline double raised_by_subnormals(double x, double y, Format terms) {
  const FormatInfo& f = info(terms);
  const double least = power_of_two(f.e_min);
  const bool subnormal = std::fabs(x) < least || std::fabs(y) < least;
  if (!subnormal || x == 0 || y == 0 || !std::isfinite(x) || !std::isfinite(y)) return 0;
  if (f.precision >= info(Format::fp32).precision) return 0;
  return std::ldexp(1.0, std::max(std::ilogb(x), f.e_min) + std::max(std::ilogb(y), f.e_min) + 2);
}

/// The format of sums of which a matrix unit may keep fewer bits than it has: what it surely keeps.
inline FormatInfo kept_by_matrix_units(Format accumulate, Format terms, bool products) {
  FormatInfo kept = info(accumulate);
  kept.precision -= std::ilogb(matrix_unit_roundings(terms, products));
  return kept;
}

}  // namespace orderlab
