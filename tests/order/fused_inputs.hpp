// Rows of products for units of fused sums.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "orderlab/fused.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

/// A row of products for a unit, and the sum before them.
struct FusedRow {
  std::vector<Factors> products;
  double start = 0;
};

/// Draws rows that are biased to what cuts, cancels, underflows and overflows.
class FusedInputs {
 public:
  FusedInputs(const FusedUnit& unit, Format accumulate, std::uint64_t seed)
      : unit_(unit), accumulate_(accumulate), draw_(RandomStream(seed, 0, 0), 0) {}

  FusedRow next() {
    const std::uint64_t kind = below(draw_, 6);
    FusedRow row;
    const std::size_t n = 1 + below(draw_, 3 * unit_.length);
    for (std::size_t k = 0; k < n; ++k) {
      if (kind == 1 && k > 0 && chance(draw_, 2)) {  // cancels the product before, but for the last bit
        const Factors p = row.products.back();
        row.products.push_back({-p.x, chance(draw_, 2) ? p.y : neighbour(unit_.terms, p.y)});
      } else {
        row.products.push_back({factor(kind), factor(kind)});
      }
    }
    row.start = start(kind, row.products);
    if (chance(draw_, 50)) row.products[below(draw_, n)].x = special();
    return row;
  }

 private:
  double with_exponent(Format format, int exponent) {
    const FormatInfo& f = info(format);
    const auto fraction = draw_() & ((std::uint64_t{1} << (f.precision - 1)) - 1);
    const double significand = 1 + std::ldexp(static_cast<double>(fraction), 1 - f.precision);
    return with_random_sign(draw_, std::ldexp(significand, exponent));
  }

  double neighbour(Format format, double x) const { return value_of_bits(format, round_to_bits(format, x) ^ 1); }

  double number(Format format, std::uint64_t kind) {
    const FormatInfo& f = info(format);
    if (chance(draw_, 16)) return with_random_sign(draw_, 0.0);
    const auto near_end = static_cast<int>(below(draw_, 3));
    switch (kind) {
      case 0:  // equal exponents, almost
        return with_exponent(format, near_end / 2);
      case 2:  // subnormal, or nearly
        return near_end == 0 ? with_exponent(format, f.e_min + 1)
                             : value_of_bits(format, draw_() & ((std::uint64_t{1} << f.precision) - 1));
      case 3:  // near the greatest
        return with_exponent(format, f.e_max - 1 - near_end);
      case 4: {  // three levels
        const int level = static_cast<int>(below(draw_, 3)) - 1;
        return with_exponent(format, level * std::min(12, -f.e_min / 2));
      }
      case 5:
        return any_finite(draw_, format);
      default:
        return with_exponent(format, static_cast<int>(below(draw_, 8)) - 4);
    }
  }

  double factor(std::uint64_t kind) { return number(unit_.terms, kind); }

  double start(std::uint64_t kind, const std::vector<Factors>& products) {
    if (chance(draw_, 4)) return 0;
    if (chance(draw_, 4)) {  // cancels the first products
      const Factors& p = products[0];
      return value_of_bits(accumulate_, round_to_bits(accumulate_, -p.x * p.y));
    }
    return number(accumulate_, kind);
  }

  double special() {
    const double specials[] = {HUGE_VAL, -HUGE_VAL, std::nan("")};
    return specials[below(draw_, 3)];
  }

  const FusedUnit& unit_;
  Format accumulate_;
  IndexGenerator draw_;
};

}  // namespace orderlab::testing
