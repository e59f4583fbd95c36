// Products of two terms: rounded once to any format, or fused into a sum with one rounding.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// An unevaluated product x * y on its way into an fma; a rounded partial sum of format T has y = 1.
template <class T>
struct Product {
  double x = 0;
  double y = 1;
};

namespace detail {

// The neighbour of `rounded` (= nearest to rounded + rest) that has an odd last bit, unless rest is 0: rounding it
// again to a format two bits or more narrower is as good as rounding the exact sum [BoldoMelquiond2008].
inline double to_odd(double rounded, double rest) {
  const auto bits = std::bit_cast<std::uint64_t>(rounded);
  if (rest == 0 || rest != rest || (bits & 1) != 0 || !std::isfinite(rounded)) return rounded;
  if (rounded == 0) return std::copysign(std::numeric_limits<double>::denorm_min(), rest);
  return std::bit_cast<double>((rest > 0) == (rounded > 0) ? bits + 1 : bits - 1);
}

struct TwoSum {
  double sum;
  double rest;
};

inline TwoSum two_sum(double a, double b) {  // [Knuth1998]
  const double sum = a + b;
  const double t = sum - a;
  return {sum, (a - (sum - t)) + (b - t)};
}

/// x * y rounded once to T.
template <class T>
T round_product(double x, double y) {
  const double product = x * y;
  if constexpr (std::is_same_v<T, double>) return product;
  return round_to<T>(to_odd(product, std::fma(x, y, -product)));
}

/// x * y + s rounded once to T; s is a number of format T.
template <class T>
T fused(double x, double y, T s) {
  const double addend = static_cast<double>(s);
  if constexpr (std::is_same_v<T, double>) return std::fma(x, y, addend);
  const double product = x * y;
  if (!std::isfinite(product) || !std::isfinite(addend)) return round_to<T>(std::fma(x, y, addend));
  if (addend == 0) {
    if (x == 0 || y == 0) return round_to<T>(product + addend);
    return round_product<T>(x, y);  // a tiny negative product rounds to -0, for either sign of the zero
  }
  const double product_rest = std::fma(x, y, -product);
  if (product_rest == 0) {  // as of all terms of at most 26 bits
    const TwoSum all = two_sum(product, addend);
    return round_to<T>(to_odd(all.sum, all.rest));
  }
  const TwoSum low = two_sum(addend, product_rest);
  const TwoSum high = two_sum(product, low.sum);
  const TwoSum rest = two_sum(low.rest, high.rest);
  const TwoSum all = two_sum(high.sum, to_odd(rest.sum, rest.rest));
  return round_to<T>(to_odd(all.sum, all.rest));
}

}  // namespace detail

}  // namespace orderlab
