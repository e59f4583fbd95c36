// Fused sums in Highway's portable vectors: this file is compiled once for each extension. Longer than most files: one
// struct for each kind of step, as in order/fused_sum.cpp, which says what they do.
//
// A lane holds a row, or a step of one row. All that a step does before it needs c, the sum before it, is done for all
// lanes at once (`prepare`); what needs c is done in a vector where lanes are rows, and in one lane after the other
// where they are steps (`finish`). How terms are cut depends on the exponent of c alone, which rarely changes from step
// to step: `cut` is done for all lanes with the last c that is known, and once more where it turns out wrong (`holds`).
//
// Numbers are doubles, and so are integers: exponents are kept as powers of two, terms are multiplied by 2^(F - E), and
// what is left of them are integers below 2^(F + 2), whose sums are exact in any order while they are below 2^53.
// Products are exact: factors have at most 24 bits. A NaN as a result asks for fused_sum(): terms that are infinite or
// NaN, and whatever else is too rare to be done here, make one.
#include "run/fused_steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "run/fused_steps.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "vectors/narrow_lanes.hpp"

#ifndef ORDERLAB_RUN_FUSED_STEPS_ONCE
#define ORDERLAB_RUN_FUSED_STEPS_ONCE
namespace orderlab {

namespace {

constexpr std::size_t kMostFusedLanes = 8;
constexpr std::size_t kLoadedProducts = 64;
constexpr double kGreatestFloored = 0x1p127;  // a `floored` step overflows if a product is 2^128, so 2^127 or more here

/// Rows, and what becomes of them.
struct FusedTask {
  const FusedUnit& unit;
  Format accumulate;
  FusedRows rows;
  double* sums;
  double* errors;  ///< null: not asked for

  const double* at(std::size_t row, std::size_t product) const {
    return rows.factors + 2 * (row * rows.stride + product);
  }

  /// What fused_sum() makes of `count` products and the sum before them.
  FusedSum plain(std::size_t row, std::size_t begin, std::size_t count, double before) const {
    const double* const from = at(row, begin);
    std::vector<Factors> products(count);
    for (std::size_t k = 0; k < count; ++k) products[k] = {from[2 * k], from[2 * k + 1]};
    return fused_sum(unit, accumulate, products, before);
  }

  /// The sum that vectors found for these, unless it is NaN. Adds its error to those of the row.
  double checked(FusedSum found, std::size_t row, std::size_t begin, std::size_t count, double before) const {
    if (std::isnan(found.sum)) found = plain(row, begin, count, before);
    if (errors != nullptr) errors[row] = (errors[row] + found.error) * (1 + 0x1p-51);
    return found.sum;
  }
};

void add_plainly(const FusedTask& task) {
  for (std::size_t r = 0; r < task.rows.count; ++r) {
    stop_point();
    const FusedSum sum = task.plain(r, 0, task.rows.n, task.sums[r]);
    task.sums[r] = sum.sum;
    if (task.errors != nullptr) task.errors[r] = sum.error;
  }
}

/// A difference of exponents of doubles, in the bits of their field.
constexpr std::int64_t exponents(int count) { return std::int64_t{count} * (std::int64_t{1} << 52); }

/// What steps need to know of their unit and of the format of sums, as vectors take it.
struct FusedShape {
  FusedShape(const FusedUnit& unit, Format accumulate)
      : FusedShape(unit, info(accumulate),
                   unit.rounding(accumulate) == FusedRounding::e8m13 ? info(Format::e8m13).precision
                                                                     : info(accumulate).precision) {
    nearest = unit.rounding(accumulate) == FusedRounding::to_nearest;
  }

  /// Steps whose products are loaded together, so that what was just stored is not loaded yet.
  std::size_t loaded_steps() const { return std::max<std::size_t>(1, kLoadedProducts / length); }

  std::size_t length;
  bool nearest = false;
  std::int64_t fraction;  ///< F exponents
  std::int64_t digits;    ///< p - 1 of the format of sums
  std::uint64_t kept;     ///< the bits of a normal sum
  double unit_roundoff;
  double least_factor;  ///< least normal factor
  double least_sum;     ///< least normal sum
  double limit;         ///< sums are below it

 private:
  FusedShape(const FusedUnit& unit, const FormatInfo& sums, int precision)
      : length(unit.length),
        fraction(exponents(unit.fraction_bits)),
        digits(exponents(precision - 1)),
        kept(~std::uint64_t{0} << (53 - precision)),
        unit_roundoff(power_of_two(-precision)),
        least_factor(power_of_two(info(unit.terms).e_min)),
        least_sum(power_of_two(sums.e_min)),
        limit(2 * power_of_two(sums.e_max)) {}
};

/// The products of some steps in each lane, and what is known of the step that begins at product `first`.
struct FusedTile {
  FusedTile(std::size_t products, std::size_t width) : lanes(width), x_(products * width), y_(products * width) {}

  /// Factors of product k of the step, a lane after the other. Products take the places of factors x.
  double* x(std::size_t k = 0) { return x_.data() + (first + k) * lanes; }
  const double* x(std::size_t k = 0) const { return x_.data() + (first + k) * lanes; }
  double* y(std::size_t k = 0) { return y_.data() + (first + k) * lanes; }
  const double* y(std::size_t k = 0) const { return y_.data() + (first + k) * lanes; }

  std::size_t lanes;
  std::size_t first = 0;
  std::size_t count = 0;  ///< products of the step
  using Lanes = std::array<double, kMostFusedLanes>;
  alignas(64) Lanes sum{};       ///< of the products
  alignas(64) Lanes rest{};      ///< what `sum` lacks
  alignas(64) Lanes greatest{};  ///< 2^E of the products
  alignas(64) Lanes used{};      ///< 2^E that terms were cut by
  alignas(64) Lanes lost{};      ///< terms of which something was cut, or an error

 private:
  std::vector<double> x_;
  std::vector<double> y_;
};

}  // namespace

}  // namespace orderlab
#endif

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // whose conversions to float have no infinity
using FusedDoubles = hn::CappedTag<double, kMostFusedLanes>;
using OneDouble = hn::CappedTag<double, 1>;

template <class D>
using Lane = hn::Vec<D>;

// ---- Powers of two

/// 2^floor(log2 |x|) of a normal number; 0 of 0; infinity of what is not finite.
template <class D>
HWY_INLINE Lane<D> power_below(D d, Lane<D> x) {
  const hn::RebindToUnsigned<D> bits;
  return hn::BitCast(d, hn::And(hn::BitCast(bits, x), hn::Set(bits, 0x7ff0000000000000)));
}

/// power * 2^e, where `more` is exponents(e).
template <class D>
HWY_INLINE Lane<D> times_power(D d, Lane<D> power, std::int64_t more) {
  const hn::RebindToSigned<D> bits;
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, power), hn::Set(bits, more)));
}

/// 2^e / power. The sum of exponents may be beyond 2^11 until that of `power` is taken off.
template <class D>
HWY_INLINE Lane<D> power_over(D d, std::int64_t more, Lane<D> power) {
  const hn::RebindToUnsigned<D> bits;
  const auto above = static_cast<std::uint64_t>(exponents(2 * 1023)) + static_cast<std::uint64_t>(more);
  return hn::BitCast(d, hn::Sub(hn::Set(bits, above), hn::BitCast(bits, power)));
}

/// 2^exponent by which c is aligned; 0 of 0.
template <class D>
HWY_INLINE Lane<D> power_of_sum(D d, const FusedShape& shape, Lane<D> c) {
  const auto power = hn::Max(power_below(d, c), hn::Set(d, shape.least_sum));
  return hn::IfThenZeroElse(hn::Eq(c, hn::Zero(d)), power);
}

// ---- Roundings and errors

template <class D>
HWY_INLINE Lane<D> sum_upward(D d, Lane<D> a, Lane<D> b) {
  return hn::Mul(hn::Add(a, b), hn::Set(d, 1 + 0x1p-51));
}

/// 1 where something was lost.
template <class D>
HWY_INLINE Lane<D> lost_one(D d, Lane<D> kept, Lane<D> whole) {
  return hn::IfThenElseZero(hn::Ne(kept, whole), hn::Set(d, 1.0));
}

/// The unit in the last place of a sum, 2^(max(e, e_min) - p + 1).
template <class D>
HWY_INLINE Lane<D> last_place(D d, const FusedShape& shape, Lane<D> v) {
  return times_power(d, hn::Max(power_below(d, v), hn::Set(d, shape.least_sum)), -shape.digits);
}

/// v to the nearest sum, ties to even. Sums in fp32 are floats; others are multiples of their last place, and 1.5 *
/// 2^52 of these have no room for less.
template <class D>
HWY_INLINE Lane<D> to_nearest(D d, const FusedShape& shape, Lane<D> v) {
  if (shape.digits == exponents(info(Format::fp32).precision - 1))
    return hn::PromoteTo(d, hn::DemoteTo(hn::Rebind<float, D>(), v));
  const auto last = last_place(d, shape, v);
  const hn::RebindToUnsigned<D> bits;
  const auto large =
      hn::BitCast(d, hn::Or(hn::BitCast(bits, times_power(d, last, exponents(52))), hn::Set(bits, 1ULL << 51)));
  return hn::CopySign(hn::Sub(hn::Add(v, large), large), v);
}

/// v toward zero to the precision of the sums.
template <class D>
HWY_INLINE Lane<D> toward_zero(D d, const FusedShape& shape, Lane<D> v) {
  if (hn::AllTrue(d, hn::Ge(hn::Abs(v), hn::Set(d, shape.least_sum)))) {
    const hn::RebindToUnsigned<D> bits;
    return hn::BitCast(d, hn::And(hn::BitCast(bits, v), hn::Set(bits, shape.kept)));
  }
  const auto last = last_place(d, shape, v);
  return hn::Mul(hn::Trunc(hn::Mul(v, power_over(d, 0, last))), last);
}

/// v rounded once to the format of the sums; `error` is set if kErrors.
template <bool kErrors, class D>
HWY_INLINE Lane<D> rounded_sum(D d, const FusedShape& shape, bool nearest, Lane<D> v, Lane<D>& error) {
  const auto sum = nearest ? to_nearest(d, shape, v) : toward_zero(d, shape, v);
  const auto infinite = hn::Ge(hn::Abs(sum), hn::Set(d, shape.limit));
  if constexpr (kErrors) {
    const auto most = times_power(d, last_place(d, shape, v), exponents(nearest ? -1 : 0));
    error = hn::IfThenElse(infinite, hn::Inf(d), hn::IfThenElseZero(hn::Ne(sum, v), most));
  }
  if (hn::AllFalse(d, infinite)) return sum;
  return hn::IfThenElse(infinite, hn::CopySign(hn::Inf(d), v), sum);
}

// ---- Terms that are cut

/// Products k with k & kMask == part take the places of their factors x. Returns 2^E of them, 2^-300 if all are 0.
template <std::size_t kMask, class D>
HWY_INLINE Lane<D> multiply_factors(D d, const FusedShape& shape, FusedTile& tile, std::size_t part = 0) {
  const auto least = hn::Set(d, shape.least_factor);
  auto greatest = hn::Set(d, 0x1p-300);
  double* const places = tile.x();  // what is stored could be anything else of the tile, for all the compiler knows
  const double* const others = tile.y();
  const std::size_t lanes = tile.lanes;
  for (std::size_t k = 0, end = tile.count; k < end; ++k) {
    if ((k & kMask) != part) continue;
    double* const place = places + k * lanes;
    const auto x = hn::LoadU(d, place);
    const auto y = hn::LoadU(d, others + k * lanes);
    const auto p = hn::Mul(x, y);
    const auto power = hn::Mul(hn::Max(power_below(d, x), least), hn::Max(power_below(d, y), least));
    greatest = hn::Max(greatest, hn::IfThenZeroElse(hn::Eq(p, hn::Zero(d)), power));
    hn::StoreU(p, d, place);
  }
  return greatest;
}

/// The sum of these products, cut, in units of 2^(E - F); NaN where E is infinite.
template <std::size_t kMask, bool kErrors, class D>
HWY_INLINE Lane<D> cut_products(D d, const FusedShape& shape, const FusedTile& tile, Lane<D> power, Lane<D>& lost,
                                std::size_t part = 0) {
  const auto scale = power_over(d, shape.fraction, power);
  auto sum = hn::Sub(power, power);
  lost = hn::Zero(d);
  for (std::size_t k = 0; k < tile.count; ++k) {
    if ((k & kMask) != part) continue;
    const auto whole = hn::Mul(hn::LoadU(d, tile.x(k)), scale);
    const auto kept = hn::Trunc(whole);
    sum = hn::Add(sum, kept);
    if constexpr (kErrors) lost = hn::Add(lost, lost_one(d, kept, whole));
  }
  return sum;
}

/// What an `aligned` step makes of its cut products and c.
template <bool kErrors, class D>
HWY_INLINE Lane<D> with_cut_sum(D d, const FusedShape& shape, Lane<D> products, Lane<D> power, Lane<D> lost, Lane<D> c,
                                Lane<D>& error) {
  const auto whole = hn::Mul(c, power_over(d, shape.fraction, power));
  const auto kept = hn::Trunc(whole);
  const auto unit = times_power(d, power, -shape.fraction);
  const auto sum = rounded_sum<kErrors>(d, shape, shape.nearest, hn::Mul(hn::Add(products, kept), unit), error);
  if constexpr (kErrors) error = sum_upward(d, error, hn::Mul(hn::Add(lost, lost_one(d, kept, whole)), unit));
  return sum;
}

/// Kinds of steps that do not guess the exponent of c.
struct NoGuess {
  template <class D>
  static HWY_INLINE void cut(D, const FusedShape&, FusedTile&, Lane<D>) {}
  static HWY_INLINE bool holds(const FusedShape&, const FusedTile&, std::size_t, double) { return true; }
};

struct GuessedPower {
  static HWY_INLINE bool holds(const FusedShape& shape, const FusedTile& tile, std::size_t lane, double c) {
    const OneDouble d;
    const double power = hn::GetLane(power_of_sum(d, shape, hn::Set(d, c)));
    return std::max(power, tile.greatest[lane]) == tile.used[lane];
  }
};

template <bool kErrors>
struct AlignedSteps : GuessedPower {
  template <class D>
  static HWY_INLINE void prepare(D d, const FusedShape& shape, FusedTile& tile) {
    hn::StoreU(multiply_factors<0>(d, shape, tile), d, tile.greatest.data());
  }

  template <class D>
  static HWY_INLINE void cut(D d, const FusedShape& shape, FusedTile& tile, Lane<D> c) {
    const auto power = hn::Max(hn::LoadU(d, tile.greatest.data()), power_of_sum(d, shape, c));
    auto lost = hn::Zero(d);
    hn::StoreU(cut_products<0, kErrors>(d, shape, tile, power, lost), d, tile.sum.data());
    hn::StoreU(power, d, tile.used.data());
    hn::StoreU(lost, d, tile.lost.data());
  }

  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>& error) {
    return with_cut_sum<kErrors>(d, shape, hn::LoadU(d, tile.sum.data() + lane), hn::LoadU(d, tile.used.data() + lane),
                                 hn::LoadU(d, tile.lost.data() + lane), c, error);
  }
};

template <bool kErrors>
struct HalvedSteps : NoGuess {
  template <class D>
  static HWY_INLINE void prepare(D d, const FusedShape& shape, FusedTile& tile) {
    auto sum = hn::Zero(d);
    auto error = hn::Zero(d);
    for (const std::size_t half : {0U, 2U}) {
      const auto power = hn::Max(multiply_factors<2>(d, shape, tile, half), power_of_sum(d, shape, sum));
      auto lost = hn::Zero(d);
      auto more = hn::Zero(d);
      const auto products = cut_products<2, kErrors>(d, shape, tile, power, lost, half);
      sum = with_cut_sum<kErrors>(d, shape, products, power, lost, sum, more);
      if constexpr (kErrors) error = sum_upward(d, error, more);
    }
    hn::StoreU(sum, d, tile.sum.data());
    hn::StoreU(error, d, tile.lost.data());
  }

  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>& error) {
    const auto sum = rounded_sum<false>(d, shape, true, hn::Add(hn::LoadU(d, tile.sum.data() + lane), c), error);
    if constexpr (kErrors) {
      const auto roundoff = hn::Mul(hn::Set(d, shape.unit_roundoff), hn::Abs(sum));
      error = sum_upward(d, roundoff, hn::LoadU(d, tile.lost.data() + lane));
    }
    return sum;
  }
};

template <bool kErrors>
struct FlooredSteps : GuessedPower {
  static constexpr std::int64_t kFloor = exponents(31);  // as in order/fused_sum.cpp

  template <class D>
  static HWY_INLINE void prepare(D d, const FusedShape& shape, FusedTile& tile) {
    const auto power = multiply_factors<0>(d, shape, tile);
    const auto unit = times_power(d, power, -shape.fraction);
    auto lost = hn::Zero(d);
    const auto sum = hn::Mul(cut_products<0, kErrors>(d, shape, tile, power, lost), unit);
    const auto overflows = hn::Ge(power, hn::Set(d, kGreatestFloored));
    hn::StoreU(hn::IfThenElse(overflows, hn::NaN(d), sum), d, tile.sum.data());
    hn::StoreU(power, d, tile.greatest.data());
    hn::StoreU(hn::Mul(lost, unit), d, tile.lost.data());
  }

  template <class D>
  static HWY_INLINE void cut(D d, const FusedShape& shape, FusedTile& tile, Lane<D> c) {
    const auto power = hn::Max(hn::LoadU(d, tile.greatest.data()), power_of_sum(d, shape, c));
    const auto kept = hn::Floor(hn::Mul(hn::LoadU(d, tile.sum.data()), power_over(d, kFloor, power)));
    hn::StoreU(hn::Mul(kept, times_power(d, power, -kFloor)), d, tile.rest.data());
    hn::StoreU(power, d, tile.used.data());
  }

  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>& error) {
    const auto power = hn::LoadU(d, tile.used.data() + lane);
    const auto unit = times_power(d, power, -shape.fraction);
    const auto products = hn::LoadU(d, tile.rest.data() + lane);
    const auto whole = hn::Mul(c, power_over(d, shape.fraction, power));
    const auto kept = hn::Floor(whole);
    const auto sum = rounded_sum<kErrors>(d, shape, true, hn::Add(products, hn::Mul(kept, unit)), error);
    if constexpr (kErrors) {
      const auto lost = lost_one(d, products, hn::LoadU(d, tile.sum.data() + lane));
      error = sum_upward(d, error, hn::LoadU(d, tile.lost.data() + lane));
      error = sum_upward(d, error, hn::Mul(lost, times_power(d, power, -kFloor)));
      error = sum_upward(d, error, hn::Mul(lost_one(d, kept, whole), unit));
    }
    return sum;
  }
};

// ---- Terms that are added exactly

/// a + b; `rest` is what the sum lacks [Knuth1998].
template <class D>
HWY_INLINE Lane<D> two_sum_of(Lane<D> a, Lane<D> b, Lane<D>& rest) {
  const auto sum = hn::Add(a, b);
  const auto t = hn::Sub(sum, a);
  rest = hn::Add(hn::Sub(a, hn::Sub(sum, t)), hn::Sub(b, t));
  return sum;
}

/// detail::to_odd of run/product.hpp.
template <class D>
HWY_INLINE Lane<D> rounded_to_odd(D d, Lane<D> sum, Lane<D> rest) {
  const hn::RebindToUnsigned<D> bits;
  const auto one = hn::Set(bits, 1);
  const auto code = hn::BitCast(bits, sum);
  const auto opposite = hn::ShiftRight<63>(hn::Xor(code, hn::BitCast(bits, rest)));
  const auto odd = hn::BitCast(d, hn::Sub(hn::Add(code, one), hn::Add(opposite, opposite)));
  const auto even = hn::RebindMask(d, hn::Eq(hn::And(code, one), hn::Zero(bits)));
  return hn::IfThenElse(hn::And(even, hn::Ne(rest, hn::Zero(d))), odd, sum);
}

/// Sums are kept as two doubles. Where three would be needed, they become NaN.
template <bool kErrors>
struct ExactSteps : NoGuess {
  template <class D>
  static HWY_INLINE void prepare(D d, const FusedShape&, FusedTile& tile) {
    const auto zero = hn::Zero(d);
    auto sum = zero;
    auto rest = zero;
    for (std::size_t k = 0; k < tile.count; ++k) {
      const auto x = hn::LoadU(d, tile.x(k));
      auto low = zero;
      auto lost = zero;
      sum = two_sum_of<D>(sum, hn::Mul(x, hn::LoadU(d, tile.y(k))), low);
      rest = two_sum_of<D>(rest, low, lost);
      sum = hn::IfThenElse(hn::Eq(lost, zero), sum, hn::NaN(d));
    }
    hn::StoreU(sum, d, tile.sum.data());
    hn::StoreU(rest, d, tile.rest.data());
  }

  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>& error) {
    const auto zero = hn::Zero(d);
    const auto rest = hn::LoadU(d, tile.rest.data() + lane);
    auto low = zero;
    auto sum = two_sum_of<D>(hn::LoadU(d, tile.sum.data() + lane), c, low);
    if (!hn::AllTrue(d, hn::And(hn::Eq(low, zero), hn::Eq(rest, zero)))) {
      auto lost = zero;
      low = two_sum_of<D>(rest, low, lost);
      sum = two_sum_of<D>(sum, low, low);
      sum = hn::IfThenElse(hn::Eq(lost, zero), rounded_to_odd(d, sum, low), hn::NaN(d));
    }
    return rounded_sum<kErrors>(d, shape, true, hn::Add(sum, zero), error);  // a sum of 0 is +0
  }
};

// ---- Additions of the format of the sums. MulAdd rounds once where it is an instruction.
#if HWY_NATIVE_FMA
template <class D>
using FloatsOf = hn::Rebind<float, D>;

/// Subnormal numbers are zeros of their sign.
template <class F>
HWY_INLINE Lane<F> flushed(F floats, Lane<F> number, double least) {
  const auto small = hn::Lt(hn::Abs(number), hn::Set(floats, static_cast<float>(least)));
  return hn::IfThenElse(small, hn::CopySign(hn::Zero(floats), number), number);
}

template <class F>
HWY_INLINE Lane<F> flushed_sum(F floats, const FusedShape& shape, Lane<F> a, Lane<F> b) {
  return flushed(floats, hn::Add(a, b), shape.least_sum);
}

enum class Flush : std::uint8_t {
  none,
  results,      ///< and factors
  sure_results  ///< the same, but NaN for 2^-126, which may have been rounded up from below
};

/// x * y + c of product k.
template <Flush kFlush, class D>
HWY_INLINE Lane<FloatsOf<D>> multiply_add(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane,
                                          std::size_t k, Lane<FloatsOf<D>> c) {
  const FloatsOf<D> floats;
  const auto x = hn::DemoteTo(floats, hn::LoadU(d, tile.x(k) + lane));
  const auto y = hn::DemoteTo(floats, hn::LoadU(d, tile.y(k) + lane));
  if constexpr (kFlush == Flush::none) return hn::MulAdd(x, y, c);
  const double least = shape.least_factor;
  const auto sum = hn::MulAdd(flushed(floats, x, least), flushed(floats, y, least), c);
  const auto left = flushed(floats, sum, shape.least_sum);
  if constexpr (kFlush == Flush::results) return left;
  const auto unsure = hn::Eq(hn::Abs(sum), hn::Set(floats, static_cast<float>(shape.least_sum)));
  return hn::IfThenElse(unsure, hn::NaN(floats), left);
}

struct ChainSteps : NoGuess {
  template <class D>
  static HWY_INLINE void prepare(D, const FusedShape&, FusedTile&) {}

  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>&) {
    auto sum = hn::DemoteTo(FloatsOf<D>(), c);
    for (std::size_t k = 0; k < tile.count; ++k) sum = multiply_add<Flush::none>(d, shape, tile, lane, k, sum);
    return hn::PromoteTo(d, sum);
  }
};

struct DoubleChainSteps : NoGuess {
  template <class D>
  static HWY_INLINE void prepare(D, const FusedShape&, FusedTile&) {}

  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape&, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>&) {
    for (std::size_t k = 0; k < tile.count; ++k) {
      const auto x = hn::LoadU(d, tile.x(k) + lane);
      c = hn::MulAdd(x, hn::LoadU(d, tile.y(k) + lane), c);
    }
    return c;
  }
};

struct SwappedSteps : NoGuess {
  template <class D>
  static HWY_INLINE void prepare(D, const FusedShape&, FusedTile&) {}

  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>&) {
    const FloatsOf<D> floats;
    auto sum = flushed(floats, hn::DemoteTo(floats, c), shape.least_sum);
    for (std::size_t k = 0; k < tile.count; k += 2) {
      const bool filled = k + 1 == tile.count;  // with a product of zeros
      sum =
          filled ? hn::Add(sum, hn::Zero(floats)) : multiply_add<Flush::sure_results>(d, shape, tile, lane, k + 1, sum);
      sum = multiply_add<Flush::sure_results>(d, shape, tile, lane, k, sum);
    }
    return hn::PromoteTo(d, sum);
  }
};

/// Steps that add the sum of their products to c.
struct SeparateSteps : NoGuess {
  template <class D>
  static HWY_INLINE Lane<D> finish(D d, const FusedShape& shape, const FusedTile& tile, std::size_t lane, Lane<D> c,
                                   Lane<D>&) {
    const FloatsOf<D> floats;
    const auto before = flushed(floats, hn::DemoteTo(floats, c), shape.least_sum);
    const auto products = hn::DemoteTo(floats, hn::LoadU(d, tile.sum.data() + lane));
    return hn::PromoteTo(d, flushed_sum(floats, shape, before, products));
  }
};

struct PairedSteps : SeparateSteps {
  template <class D>
  static HWY_INLINE Lane<FloatsOf<D>> pair(D d, const FusedShape& shape, const FusedTile& tile, std::size_t k) {
    const FloatsOf<D> floats;
    const auto zero = hn::Zero(floats);
    const auto a = k < tile.count ? multiply_add<Flush::results>(d, shape, tile, 0, k, zero) : zero;
    const auto b = k + 1 < tile.count ? multiply_add<Flush::results>(d, shape, tile, 0, k + 1, zero) : zero;
    return flushed_sum(floats, shape, a, b);
  }

  template <class D>
  static HWY_INLINE void prepare(D d, const FusedShape& shape, FusedTile& tile) {
    const FloatsOf<D> floats;
    auto sum = pair(d, shape, tile, 0);
    if (shape.length > 2) sum = flushed_sum(floats, shape, sum, pair(d, shape, tile, 2));
    hn::StoreU(hn::PromoteTo(d, sum), d, tile.sum.data());
  }
};

struct TwoChainSteps : SeparateSteps {
  template <class D>
  static HWY_INLINE void prepare(D d, const FusedShape& shape, FusedTile& tile) {
    const FloatsOf<D> floats;
    auto even = hn::Zero(floats);
    auto odd = hn::Zero(floats);
    for (std::size_t k = 0; k < tile.count; k += 2) {
      even = multiply_add<Flush::sure_results>(d, shape, tile, 0, k, even);
      if (k + 1 < tile.count) odd = multiply_add<Flush::sure_results>(d, shape, tile, 0, k + 1, odd);
    }
    if (tile.count + 1 < shape.length) even = hn::Add(even, hn::Zero(floats));  // products of zeros fill the step up
    if (tile.count < shape.length) odd = hn::Add(odd, hn::Zero(floats));
    hn::StoreU(hn::PromoteTo(d, flushed_sum(floats, shape, even, odd)), d, tile.sum.data());
  }
};
#endif

// ---- Loops

/// Puts `count` products of each of `lanes` lanes, `stride` products apart, into the tile from `first` on.
HWY_INLINE void load_products(FusedTile& tile, std::size_t first, const double* from, std::size_t stride,
                              std::size_t lanes, std::size_t count) {
  const hn::FixedTag<double, 2> pair;
  const std::size_t width = tile.lanes;
  tile.first = first;
  for (std::size_t i = 0; i < lanes; i += 2) {
    const double* const a_row = from + 2 * i * stride;
    const double* const b_row = i + 1 < lanes ? a_row + 2 * stride : a_row;
    double* const x = tile.x() + i;
    double* const y = tile.y() + i;
    for (std::size_t k = 0; k < count; ++k) {
      const auto a = hn::LoadU(pair, a_row + 2 * k);
      const auto b = hn::LoadU(pair, b_row + 2 * k);
      hn::StoreU(hn::InterleaveLower(pair, a, b), pair, x + k * width);
      hn::StoreU(hn::InterleaveUpper(pair, a, b), pair, y + k * width);
    }
  }
}

/// The step at `tile.first` of as many rows as there are lanes, from row `row` on; it begins at product `begin`.
template <class Kind, class D>
HWY_INLINE Lane<D> add_step(D d, const FusedTask& task, const FusedShape& shape, FusedTile& tile, std::size_t row,
                            std::size_t begin, Lane<D> before) {
  auto error = hn::Zero(d);
  Kind::prepare(d, shape, tile);
  Kind::cut(d, shape, tile, before);
  const auto sums = Kind::finish(d, shape, tile, 0, before, error);
  if (hn::AllFalse(d, hn::IsNaN(sums)) && task.errors == nullptr) return sums;
  FusedTile::Lanes starts, done, errors;
  hn::StoreU(before, d, starts.data());
  hn::StoreU(sums, d, done.data());
  hn::StoreU(error, d, errors.data());
  for (std::size_t i = 0; i < tile.lanes; ++i)
    done[i] = task.checked({done[i], errors[i]}, row + i, begin, tile.count, starts[i]);
  return hn::LoadU(d, done.data());
}

/// As many rows as there are lanes, from row `row` on.
template <class Kind>
void add_rows_abreast(const FusedTask& task, const FusedShape& shape, FusedTile& tile, std::size_t row) {
  const FusedDoubles d;
  const std::size_t block = shape.loaded_steps() * shape.length;
  auto sums = hn::LoadU(d, task.sums + row);
  for (std::size_t begin = 0; begin < task.rows.n; begin += block) {
    const std::size_t loaded = std::min(block, task.rows.n - begin);
    load_products(tile, 0, task.at(row, begin), task.rows.stride, tile.lanes, loaded);
    for (std::size_t first = 0; first < loaded; first += shape.length) {
      tile.first = first;
      tile.count = std::min(shape.length, loaded - first);
      sums = add_step<Kind>(d, task, shape, tile, row, begin + first, sums);
    }
  }
  hn::StoreU(sums, d, task.sums + row);
}

/// The steps of one row, as many at once as there are lanes.
template <class Kind>
class StepsAbreast {
 public:
  StepsAbreast(const FusedTask& task, const FusedShape& shape, FusedTile& tile, std::size_t row)
      : task_(task), shape_(shape), tile_(tile), row_(row), most_(tile.lanes * shape.length), c_(task.sums[row]) {}

  void add() {
    const std::size_t block = shape_.loaded_steps() * shape_.length;
    for (std::size_t begin = 0; begin < task_.rows.n;) {
      std::size_t end = begin;
      for (std::size_t first = 0; first < block && end < task_.rows.n; first += shape_.length) {
        load_products(tile_, first, task_.at(row_, end), shape_.length, steps(end), products(end));
        end += steps(end) * products(end);
      }
      for (tile_.first = 0; begin < end; tile_.first += shape_.length) begin = add_steps(begin);
    }
    task_.sums[row_] = c_;
  }

 private:
  /// Steps that are taken together from product `begin` on, and the products of each.
  std::size_t steps(std::size_t begin) const {
    const std::size_t left = task_.rows.n - begin;
    return left >= most_ ? tile_.lanes : std::max<std::size_t>(1, left / shape_.length);
  }
  std::size_t products(std::size_t begin) const { return std::min(shape_.length, task_.rows.n - begin); }

  /// Returns where the next ones begin.
  std::size_t add_steps(std::size_t begin) {
    const FusedDoubles all;
    const OneDouble one;
    double c = c_;  // in a register
    tile_.count = products(begin);
    Kind::prepare(all, shape_, tile_);
    Kind::cut(all, shape_, tile_, hn::Set(all, c));
    const std::size_t count = steps(begin);
    for (std::size_t s = 0; s < count; ++s, begin += tile_.count) {
      if (!Kind::holds(shape_, tile_, s, c)) Kind::cut(all, shape_, tile_, hn::Set(all, c));
      auto error = hn::Zero(one);
      const double sum = hn::GetLane(Kind::finish(one, shape_, tile_, s, hn::Set(one, c), error));
      c = task_.checked({sum, hn::GetLane(error)}, row_, begin, tile_.count, c);
    }
    c_ = c;
    return begin;
  }

  const FusedTask& task_;
  const FusedShape& shape_;
  FusedTile& tile_;
  std::size_t row_;
  std::size_t most_;  ///< products of as many steps as there are lanes
  double c_;
};

template <class Kind>
bool add_as(const FusedTask& task, const FusedShape& shape) {
  FusedTile tile(shape.loaded_steps() * shape.length, hn::Lanes(FusedDoubles()));
  std::size_t r = 0;
  for (; r + tile.lanes <= task.rows.count; r += tile.lanes) {
    stop_point();
    add_rows_abreast<Kind>(task, shape, tile, r);
  }
  for (; r < task.rows.count; ++r) {
    stop_point();
    StepsAbreast<Kind>(task, shape, tile, r).add();
  }
  return true;
}

template <bool kErrors>
bool add_whole(const FusedTask& task, const FusedShape& shape) {
  switch (task.unit.step) {
    case FusedStep::aligned:
      return add_as<AlignedSteps<kErrors>>(task, shape);
    case FusedStep::halves:
      return add_as<HalvedSteps<kErrors>>(task, shape);
    case FusedStep::floored:
      return add_as<FlooredSteps<kErrors>>(task, shape);
    case FusedStep::exact:
      return add_as<ExactSteps<kErrors>>(task, shape);
    default:
      return false;
  }
}

/// Steps in turn, of which many can be taken together: as many products as a tile has.
template <class Kind>
bool add_chains(const FusedTask& task, FusedShape shape) {
  constexpr std::size_t kProducts = 32;
  shape.length = kProducts;
  return add_as<Kind>(task, shape);
}

/// False, and nothing is done, where vectors do not know such steps.
bool add_in_lanes(const FusedTask& task) {
  const FusedShape shape(task.unit, task.accumulate);
  const FusedStep step = task.unit.step;
  if (step == FusedStep::aligned || step == FusedStep::halves || step == FusedStep::floored || step == FusedStep::exact)
    return task.errors != nullptr ? add_whole<true>(task, shape) : add_whole<false>(task, shape);
#if HWY_NATIVE_FMA
  if (task.errors != nullptr) return false;
  if (step == FusedStep::pairs) return add_as<PairedSteps>(task, shape);
  if (step == FusedStep::two_chains) return add_as<TwoChainSteps>(task, shape);
  if (step == FusedStep::swapped_pairs) return add_chains<SwappedSteps>(task, shape);
  if (task.accumulate == Format::fp64) return add_chains<DoubleChainSteps>(task, shape);
  return add_chains<ChainSteps>(task, shape);
#else
  return false;
#endif
}

template <class Source>
HWY_INLINE auto loaded_factors(FusedDoubles d, const Source* from) {
  if constexpr (std::is_same_v<Source, double>) {
    return hn::LoadU(d, from);
  } else {
    const hn::Rebind<float, FusedDoubles> floats;
    if constexpr (std::is_same_v<Source, float>)
      return hn::PromoteTo(d, hn::LoadU(floats, from));
    else
      return hn::PromoteTo(d, widened<Source>(floats, hn::LoadU(NarrowCodes<decltype(floats)>(), &from->bits)));
  }
}
#else
bool add_in_lanes(const FusedTask&) { return false; }
#endif

void write_as_doubles(const TermView& terms, double* factors) {
  with_type_of(terms.format, [&](auto* type) {
    using Source = std::remove_pointer_t<decltype(type)>;
    const auto* const x = static_cast<const Source*>(terms.x);
    const auto* const y = static_cast<const Source*>(terms.y);
    std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128  // whose conversions to float have no infinity
    const FusedDoubles d;
    for (; i + hn::Lanes(d) <= terms.n; i += hn::Lanes(d))
      hn::StoreInterleaved2(loaded_factors(d, x + i), loaded_factors(d, y + i), d, factors + 2 * i);
#endif
    for (; i < terms.n; ++i) {
      factors[2 * i] = static_cast<double>(x[i]);
      factors[2 * i + 1] = static_cast<double>(y[i]);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_in_lanes);
HWY_EXPORT(write_as_doubles);

namespace {

/// Whether the proof at the head of this file is one for the unit.
bool fits_lanes(const FusedUnit& unit, Format accumulate) {
  constexpr std::size_t kMostProducts = 1024;
  constexpr int kDigits = 53;
  if (!unit.built() || unit.rounding(accumulate) == FusedRounding::none || unit.length > kMostProducts) return false;
  return unit.fraction_bits + 2 + static_cast<int>(std::bit_width(unit.length)) <= kDigits;
}

}  // namespace

void add_fused(const FusedUnit& unit, Format accumulate, const FusedRows& rows, std::span<double> sums,
               std::span<double> errors) {
  const FloatEnvironment environment;
  std::fill(errors.begin(), errors.end(), 0.0);
  const FusedTask task{unit, accumulate, rows, sums.data(), errors.empty() ? nullptr : errors.data()};
  if (!fits_lanes(unit, accumulate) || !HWY_DYNAMIC_DISPATCH(add_in_lanes)(task)) add_plainly(task);
}

void write_factors(const TermView& terms, double* factors) {
  const FloatEnvironment environment;
  HWY_DYNAMIC_DISPATCH(write_as_doubles)(terms, factors);
}

}  // namespace orderlab
#endif
