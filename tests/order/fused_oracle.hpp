// Steps of fused units once more, by Boost.Multiprecision: every number is an integer in units of 2^-kScale, cut and
// rounded by divisions. Shares no arithmetic with order/fused_sum.cpp, and takes from a unit its parameters alone.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/fused.hpp"

namespace orderlab::testing {

class FusedOracle {
 public:
  FusedOracle(const FusedUnit& unit, Format accumulate) : unit_(unit), accumulate_(accumulate) {}

  double sum(std::span<const Factors> products, double start) const {
    double c = start;
    for (std::size_t begin = 0; begin < products.size(); begin += unit_.length)
      c = step(products.subspan(begin, std::min(unit_.length, products.size() - begin)), c);
    return c;
  }

  /// |computed - exact sum| <= error. All numbers are finite.
  static bool within(std::span<const Factors> products, double start, double computed, double error) {
    Integer exact = integer(start) - integer(computed);
    for (const Factors& p : products) exact += product(p);
    const double distance = std::ldexp(abs(exact).convert_to<double>(), -kScale);
    return distance <= error * (1 + 0x1p-40);
  }

 private:
  // Lowest bit of a product of two subnormal bf16 numbers: 2^-266. Greatest sums: below 2^270.
  static constexpr int kScale = 320;
  using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
      1024, 1024, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;

  static Integer integer(double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);  // x = fraction * 2^exponent
    const Integer digits(static_cast<long long>(std::ldexp(std::fabs(fraction), 53)));
    const int shift = exponent - 53 + kScale;
    const Integer magnitude = shift >= 0 ? Integer(digits << shift) : Integer(digits >> -shift);  // exact: zeros leave
    return x < 0 ? Integer(-magnitude) : magnitude;
  }

  static Integer product(const Factors& p) {
    const Integer x = integer(p.x);
    int exponent = 0;
    const double fraction = std::frexp(p.y, &exponent);
    const Integer digits(static_cast<long long>(std::ldexp(std::fabs(fraction), 24)));
    const int shift = exponent - 24;
    Integer result = abs(x) * digits;
    result = shift >= 0 ? Integer(result << shift) : Integer(result >> -shift);
    return (p.x < 0) != (p.y < 0) ? Integer(-result) : result;
  }

  /// floor(log2 |x|), at least e_min.
  static int exponent_of(Format format, double x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::max(exponent - 1, info(format).e_min);
  }

  static Integer power(int exponent) { return Integer(1) << (exponent + kScale); }

  /// A multiple of 2^exponent: toward zero.
  static Integer cut(const Integer& x, int exponent) {
    if (exponent + kScale <= 0) return x;
    const Integer kept = (abs(x) / power(exponent)) * power(exponent);
    return x < 0 ? Integer(-kept) : kept;
  }
  /// Downward.
  static Integer floored(const Integer& x, int exponent) {
    const Integer kept = cut(x, exponent);
    return kept <= x ? kept : Integer(kept - power(exponent));
  }

  static double number(const Integer& x) {
    const double sign = x < 0 ? -1 : 1;
    const Integer magnitude = abs(x);
    if (magnitude == 0) return 0;
    const int low = static_cast<int>(lsb(magnitude));
    return sign * std::ldexp(Integer(magnitude >> low).convert_to<double>(), low - kScale);
  }

  static double rounded(const Integer& x, Format format, FusedRounding rounding) {
    if (x == 0) return 0;
    const Integer magnitude = abs(x);
    const FormatInfo& f = info(format);
    const int precision = rounding == FusedRounding::e8m13 ? 14 : f.precision;
    const int exponent = std::max(static_cast<int>(msb(magnitude)) - kScale, f.e_min);
    const int unit = exponent - precision + 1;
    Integer kept = cut(magnitude, unit);
    if (rounding == FusedRounding::to_nearest && unit + kScale > 0) {
      const Integer twice = (magnitude - kept) * 2;
      const bool odd = bit_test(kept, static_cast<unsigned>(unit + kScale));
      if (twice > power(unit) || (twice == power(unit) && odd)) kept += power(unit);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    const double value = kept >= power(f.e_max + 1) ? infinity : number(kept);
    return x < 0 ? -value : value;
  }

  static double nearest(const Integer& x) { return rounded(x, Format::fp32, FusedRounding::to_nearest); }

  double step(std::span<const Factors> products, double c) const {
    switch (unit_.step) {
      case FusedStep::halves:
        return halves(products, c);
      case FusedStep::exact:
        return exact(products, c);
      case FusedStep::floored:
        return floor_step(products, c);
      case FusedStep::chain:
        for (const Factors& p : products) c = fused(p, c, false);
        return c;
      case FusedStep::pairs:
        return pairs(products, c);
      case FusedStep::two_chains:
        return two_chains(products, c);
      case FusedStep::swapped_pairs:
        return swapped(products, c);
      default:
        return aligned(products, c);
    }
  }

  /// What IEEE 754 says of infinite numbers and NaN, where there are any.
  static std::optional<double> special(std::span<const Factors> products, double c) {
    bool any = !std::isfinite(c);
    double sum = any ? c : 0;
    for (const Factors& p : products) {
      if (std::isfinite(p.x) && std::isfinite(p.y)) continue;
      any = true;
      sum += p.x * p.y;
    }
    return any ? std::optional(sum) : std::nullopt;
  }

  int exponent_of_products(std::span<const Factors> products, int least) const {
    for (const Factors& p : products)
      if (p.x != 0 && p.y != 0) least = std::max(least, exponent_of(unit_.terms, p.x) + exponent_of(unit_.terms, p.y));
    return least;
  }

  double aligned(std::span<const Factors> products, double c) const {
    if (const auto found = special(products, c)) return *found;
    const int of_c = c == 0 ? -10000 : exponent_of(accumulate_, c);
    const int last = exponent_of_products(products, of_c) - unit_.fraction_bits;
    Integer sum = c == 0 ? Integer(0) : cut(integer(c), last);
    for (const Factors& p : products) sum += cut(product(p), last);
    return rounded(sum, accumulate_, unit_.rounding(accumulate_));
  }

  double halves(std::span<const Factors> products, double c) const {
    double t = 0;
    for (const bool second : {false, true}) {
      std::vector<Factors> some;
      for (std::size_t k = 0; k < products.size(); ++k)
        if ((k % 4 >= 2) == second) some.push_back(products[k]);
      t = aligned(some, t);
    }
    if (!std::isfinite(t) || !std::isfinite(c)) return t + c;
    return rounded(integer(t) + integer(c), accumulate_, FusedRounding::to_nearest);
  }

  double exact(std::span<const Factors> products, double c) const {
    if (const auto found = special(products, c)) return *found;
    Integer sum = integer(c);
    for (const Factors& p : products) sum += product(p);
    return nearest(sum);
  }

  double floor_step(std::span<const Factors> products, double c) const {
    if (const auto found = special(products, c)) return *found;
    bool above = false;
    bool below = false;
    for (const Factors& p : products) {
      above = above || product(p) >= power(128);
      below = below || product(p) <= -power(128);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    if (above && below) return std::nan("");
    if (above || below) return above ? infinity : -infinity;
    constexpr int kNoExponent = -10000;
    const int of_products = exponent_of_products(products, kNoExponent);
    Integer sum = 0;
    for (const Factors& p : products) sum += cut(product(p), of_products - unit_.fraction_bits);
    const int of_c = c == 0 ? kNoExponent : exponent_of(accumulate_, c);
    const int greatest = std::max(of_products, of_c);
    return nearest(floored(sum, greatest - 31) + floored(integer(c), greatest - unit_.fraction_bits));
  }

  static double flushed(double x, bool flush) { return flush && std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x; }
  double factor(double x, bool flush) const {
    return flush && std::fabs(x) < std::ldexp(1.0, info(unit_.terms).e_min) ? std::copysign(0.0, x) : x;
  }

  /// x rounded to 24 bits, ties to even, is below 2^-126, as IEEE 754 has it of tininess after rounding.
  static bool tiny_after_rounding(const Integer& x) {
    const Integer magnitude = abs(x);
    if (magnitude == 0 || magnitude >= power(-126)) return false;
    const int last = static_cast<int>(msb(magnitude)) - 23;  // of the kept bits
    if (last <= 0) return true;
    Integer kept = magnitude >> last;
    const Integer rest = magnitude - (kept << last);
    const Integer half = Integer(1) << (last - 1);
    if (rest > half || (rest == half && bit_test(kept, 0))) ++kept;
    return (kept << last) < power(-126);
  }

  /// The fp32 number nearest to x * y + c.
  double fused(const Factors& p, double c, bool flush) const {
    const double x = factor(p.x, flush);
    const double y = factor(p.y, flush);
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(c)) return x * y + c;
    const Integer exact = product({x, y}) + integer(c);
    if (flush && of_x86() && tiny_after_rounding(exact)) return exact < 0 ? -0.0 : 0.0;
    if (of_x86() && exact == 0) return x * y + c;  // the sign of a sum of zeros, or of what cancels
    return flushed(nearest(exact), flush);
  }
  bool of_x86() const { return unit_.step == FusedStep::two_chains || unit_.step == FusedStep::swapped_pairs; }
  static double added(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b) || a == -b) return a + b;
    return flushed(nearest(integer(a) + integer(b)), true);
  }

  double pairs(std::span<const Factors> products, double c) const {
    std::vector<double> p(unit_.length, 0.0);
    for (std::size_t i = 0; i < products.size(); ++i) p[i] = fused(products[i], 0, true);
    const double sum = unit_.length == 2 ? added(p[0], p[1]) : added(added(p[0], p[1]), added(p[2], p[3]));
    return added(flushed(c, true), sum);
  }

  /// A step is filled up with zeros.
  static Factors or_zero(std::span<const Factors> products, std::size_t i) {
    return i < products.size() ? products[i] : Factors{0, 0};
  }

  double two_chains(std::span<const Factors> products, double c) const {
    double even = 0;
    double odd = 0;
    for (std::size_t i = 0; i < unit_.length; ++i)
      (i % 2 == 0 ? even : odd) = fused(or_zero(products, i), i % 2 == 0 ? even : odd, true);
    return added(flushed(c, true), added(even, odd));
  }

  double swapped(std::span<const Factors> products, double c) const {
    c = flushed(c, true);
    for (std::size_t i = 0; i < products.size(); i += 2) {
      c = fused(or_zero(products, i + 1), c, true);
      c = fused(products[i], c, true);
    }
    return c;
  }

  const FusedUnit& unit_;
  Format accumulate_;
};

}  // namespace orderlab::testing
