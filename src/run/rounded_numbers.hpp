// Numbers of plans that change formats: doubles, of which every operation is rounded to the format that its step says.
//
// Let F be a format with p significant bits, and a and b numbers of F. The sum of a step in F has to be RN_F(a + b),
// rounded to nearest once. It is computed as RN_F(o), where o is a + b rounded to odd in fp64: the exact sum where that
// is a double, else the one of its two neighbouring doubles that has an odd last bit [BoldoMelquiond2008].
//
// Claim. RN_F(o) = RN_F(z) for every real z and its rounding to odd o, if F is fp32, fp16 or bf16.
// Proof. RN_F(z) depends only on how z compares with the numbers of F and with the midpoints between two neighbours of
// them, the midpoint 2^e_max (2 - 2^-p) included above which z overflows: a midpoint is a tie, and between two of these
// points there is one result. Let d be any of them, not 0. It has at most p + 1 <= 25 significant bits and is at least
// 2^(e_min - p) >= 2^-150 in magnitude, also where numbers of F are subnormal, so d is a normal double and its last bit
// is 0. If z = d, then z is a double and o = d. If z < d, then o <= d, as rounding is monotonic and d is a double; and
// o = d would mean that z is not a double and was rounded to d, whose last bit is even: rounding to odd never does
// that. So o < d; z > d likewise. For d = 0: o has the sign of z, and o = 0 only for z = 0. All comparisons agree.
//
// Where p' >= 2p + 2 [Figueroa1995] shows that RN_F(RN_F'(a + b)) is right for numbers a, b of F, and additions in F by
// way of fp64 (or of fp16 and bf16 by way of fp32) need no rounding to odd. It fails for operands of other formats:
// 2^-25 + 2^-60, both in bf16, is 2^-25 in fp32, a tie of fp16 that rounds to 0, where the sum rounds to 2^-24. Here
// the claim is enough, and asks for no p'.
//
// o is had from TwoSum: a + b = s + r exactly, s = RN_fp64(a + b), as neither overflows (sums of numbers of fp32 stay
// below 2^130) and additions of doubles do not underflow; o is s where r = 0, else s or its neighbour on the side of r,
// whichever is odd. fp64 adds by itself. Infinities and NaN: r is NaN, and s is the result.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/steps.hpp"
#include "run/arithmetic.hpp"
#include "run/product.hpp"

namespace orderlab {

/// The number of `format` nearest to x, ties to even.
inline double rounded_to(Format format, double x) {
  if (format == Format::fp64) return x;
  if (format == Format::fp32) return static_cast<double>(static_cast<float>(x));
  // From the least normal number to 2^e_max the bits of x are rounded as an integer: half of the last place that is
  // kept is added, less one unit of x where that place is even, and what lies below it is cut off. A carry out of the
  // significand is one into the exponent, as it should be.
  const FormatInfo& f = info(format);
  const double magnitude = std::fabs(x);
  if (magnitude >= power_of_two(f.e_min) && magnitude < power_of_two(f.e_max)) {
    const int cut = 53 - f.precision;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t odd = (bits >> cut) & 1;
    const std::uint64_t rounded = bits + ((std::uint64_t{1} << (cut - 1)) - 1 + odd);
    return std::bit_cast<double>(rounded >> cut << cut);
  }
  return value_of_bits(format, round_to_bits(format, x));
}

/// a + b rounded once to `format`; any doubles whose sum does not overflow unless `format` is fp64.
inline double added_in(Format format, double a, double b) {
  if (format == Format::fp64) return a + b;
  const detail::TwoSum all = detail::two_sum(a, b);
  return rounded_to(format, detail::to_odd(all.sum, all.rest));
}

/// One more meaning of arithmetic.hpp: numbers with heights, in the format of each step; collects what the error bounds
/// need.
class RoundedNumbers {
 public:
  using Number = double;
  using Value = WithHeight<double>;
  using Wide = RoundedNumbers;
  static constexpr bool kTagged = false;

  explicit RoundedNumbers(const RunningError& error) : error_(error) { error_.plain = false; }

  /// What operations are rounded to from now on.
  void add_in(AddFormat format) { format_ = format; }

  const RunningError& error() const { return error_; }

  static double rank(const Value& v) { return v.number; }

  Value add(Value a, Value b) { return {sum(a.number, b.number), std::max(a.height, b.height) + 1}; }
  Value start(Value a) { return {format_.store == format_.add ? 0.0 + a.number : stored(0.0 + a.number), a.height}; }

  Value add_ftz(Value a, Value b) {
    allow_flush();
    return {noted(flush(added_in(format_.add, flush(a.number), flush(b.number))), format_.add),
            std::max(a.height, b.height) + 1};
  }
  Value start_ftz(Value a) {
    allow_flush();
    return {flush(0.0 + flush(a.number)), a.height};
  }

  /// Compensated accumulators, every operation of which is rounded to the format. Products to fuse do not get here.
  template <class Next>
  Value group(Accumulate accumulate, bool, std::size_t count, Next next) {
    std::vector<std::uint64_t> heights;
    heights.reserve(count);
    const auto number = [&] {
      const Value v = next();
      heights.push_back(v.height);
      return v.number;
    };
    const double total = accumulate == Accumulate::kahan ? kahan(count, number) : neumaier(count, number);
    return {total, group_height(heights)};
  }

  template <class Next>
  Value fused(const std::shared_ptr<const FusedUnit>&, std::size_t, Next next) {
    return next();  // unreachable: products are fused before any step that changes formats
  }

  Value rounded_to(Value v, Format format) { return {rounded(v.number, format), v.height}; }

  /// For additions in fp32.
  Wide widened() const {
    Wide wide = *this;
    wide.format_ = {Format::fp32, Format::fp32};
    return wide;
  }
  static Value widen(Value v) { return {orderlab::rounded_to(Format::fp32, v.number), v.height}; }
  Value narrow(Value v) { return {noted(orderlab::rounded_to(format_.add, v.number), format_.add), v.height}; }
  void absorb(const Wide& wide) { error_ = wide.error_; }

 private:
  double unit() const { return info(format_.add).unit_roundoff(); }

  double sum(double a, double b) {
    const double once = noted(added_in(format_.add, a, b), format_.add);
    return format_.store == format_.add ? once : stored(once);
  }
  double stored(double x) { return rounded(x, format_.store); }

  // A rounding that is no addition: below the normal numbers it is off by half the least subnormal one at most.
  double rounded(double x, Format format) {
    const FormatInfo& f = info(format);
    const double result = orderlab::rounded_to(format, x);
    if (result == x) return x;
    if (std::fabs(result) <= power_of_two(f.e_min)) {
      error_.extra += f.underflow_unit();
      ++error_.allowances;
    }
    return noted(result, format);
  }

  double noted(double number, Format format) {
    const double term = info(format).unit_roundoff() * std::fabs(number);
    const double scaled = term * error_.scale;
    error_.linear += term;
    error_.square += scaled * scaled;
    ++error_.roundings;
    return number;
  }

  // Global atomics flush in fp32 only.
  double flush(double x) const {
    const bool flushes = format_.add == Format::fp32 && std::fabs(x) < power_of_two(info(Format::fp32).e_min);
    return flushes ? std::copysign(0.0, x) : x;
  }
  void allow_flush() {
    if (format_.add != Format::fp32) return;
    error_.extra += kFlushAllowance;
    ++error_.allowances;
  }

  double plus(double a, double b) const { return added_in(format_.add, a, b); }

  template <class Next>
  double kahan(std::size_t count, Next& next) {
    double s = 0;
    double c = 0;
    stoppable_loop(0, count, [&](std::size_t) {
      const double y = plus(next(), -c);
      const double t = plus(s, y);
      c = plus(plus(t, -s), -y);
      s = t;
    });
    error_.bounded = error_.random_model = false;
    return s;
  }

  template <class Next>
  double neumaier(std::size_t count, Next& next) {
    double s = 0;
    double c = 0;
    double sum_abs = 0;
    stoppable_loop(0, count, [&](std::size_t) {
      const double x = next();
      const double t = plus(s, x);
      c = std::fabs(s) > std::fabs(x) ? plus(c, plus(plus(s, -t), x)) : plus(c, plus(plus(x, -t), s));
      s = t;
      sum_abs += std::fabs(x);
    });
    const double total = plus(s, c);
    // As in Floats.
    const double k = static_cast<double>(count - 1) * unit();
    const double gamma = k < 1 ? k / (1 - k) : std::numeric_limits<double>::infinity();
    const double tail = gamma == 0 ? 0 : gamma * gamma * sum_abs * (1 + 0x1p-52 * static_cast<double>(count));
    error_.linear += (unit() * std::fabs(total) + tail) * (1 + 4 * unit());
    ++error_.roundings;
    error_.random_model = false;
    return total;
  }

  RunningError error_;
  AddFormat format_;
};

}  // namespace orderlab
