#include "reference/lattice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/stop.hpp"

namespace orderlab {

int Lattice::exponent_of(double x) {
  constexpr int kFraction = 52;
  constexpr int kLowest = -1074;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const int field = static_cast<int>(bits >> kFraction & 0x7FF);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kFraction) - 1);
  const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << kFraction;
  return std::max(field, 1) - 1 + kLowest + std::countr_zero(significand);
}

void Lattice::add_multiple(double x, int exponent) {
  const double size = std::fabs(x);
  if (!(size <= std::numeric_limits<double>::max())) representable_ = false;
  if (x == 0 || !std::isfinite(x)) return;
  lowest_ = std::min(lowest_, exponent);
  if (!representable_) return;
  const double sum = magnitude_ + size;
  // A sum of multiples of q is rounded only above 2^53 q.
  const double rest = std::max(magnitude_, size) - sum + std::min(magnitude_, size);
  representable_ = rest == 0;
  magnitude_ = sum;
}

void Lattice::add_product(double x, double y) {
  if (x == 0 || y == 0) return add(x * y);  // 0 or NaN
  const double product = x * y;
  if (std::isfinite(x) && std::isfinite(y)) lowest_ = std::min(lowest_, exponent_of(x) + exponent_of(y));
  // The error is a double too, or the exponent is below that of every format's numbers.
  if (product == 0 || std::fma(x, y, -product) != 0) representable_ = false;
  if (representable_) add_multiple(product, lowest_);
}

bool Lattice::no_order_rounds(const FormatInfo& format, bool flushes) const {
  if (!representable_) return false;
  if (magnitude_ == 0) return true;
  if (lowest_ < (flushes ? format.e_min : format.e_min - format.precision + 1)) return false;
  constexpr int kGreatest = 1023;  // greatest exponent of a double
  if (format.e_max < kGreatest && magnitude_ >= power_of_two(format.e_max + 1)) return false;
  const int limit = lowest_ + format.precision;
  return limit > std::min(format.e_max, kGreatest) || magnitude_ <= power_of_two(limit);
}

Lattice lattice_of(const TermView& terms) {
  Lattice lattice;
  for (std::size_t i = 0; i < terms.n; ++i) {
    stop_point_at(i);
    if (terms.products())
      lattice.add_product(terms.left(i), terms.right(i));
    else
      lattice.add(terms.left(i));
  }
  return lattice;
}

}  // namespace orderlab
