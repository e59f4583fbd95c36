// fp80 in integers, for processors without x87. Made of doubles, products of two of them, and sums: between 2^-2148 and
// far below 2^16383 in magnitude, so no operation underflows or overflows.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/ordered_number.hpp"

namespace orderlab {

/// A number of 64 significant bits, inf or NaN. Every operation is rounded once, to nearest, ties to even.
class SoftExtended {
 public:
  constexpr SoftExtended() = default;

  constexpr explicit SoftExtended(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int field = static_cast<int>(bits >> 52 & 0x7FF);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    negative_ = bits >> 63 != 0;
    if (field == 0x7FF) {
      kind_ = fraction == 0 ? Kind::infinite : Kind::nan;
      return;
    }
    if (field == 0 && fraction == 0) return;
    const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    const int shift = std::countl_zero(significand);
    kind_ = Kind::finite;
    significand_ = significand << shift;
    exponent_ = (field == 0 ? 1 : field) - 1075 - shift;
  }

  /// x * y, rounded once.
  static constexpr SoftExtended product(double x, double y) {
    const SoftExtended a(x);
    const SoftExtended b(y);
    const bool negative = a.negative_ != b.negative_;
    if (a.kind_ == Kind::finite && b.kind_ == Kind::finite)
      return rounded(Wide{a.significand_} * b.significand_, a.exponent_ + b.exponent_, negative);
    if (a.kind_ == Kind::nan || b.kind_ == Kind::nan) return of(Kind::nan, false);
    const bool infinite = a.kind_ == Kind::infinite || b.kind_ == Kind::infinite;
    if (!infinite) return of(Kind::zero, negative);
    const bool with_zero = a.kind_ == Kind::zero || b.kind_ == Kind::zero;
    return with_zero ? of(Kind::nan, false) : of(Kind::infinite, negative);
  }

  /// Rounded to fp64, to nearest.
  constexpr explicit operator double() const {
    const std::uint64_t sign = std::uint64_t{negative_} << 63;
    if (kind_ == Kind::nan) return std::numeric_limits<double>::quiet_NaN();
    constexpr std::uint64_t kInfinityBits = std::uint64_t{0x7FF} << 52;
    const int exponent = exponent_ + 63;  // of the first bit
    if (kind_ == Kind::infinite || (kind_ == Kind::finite && exponent > 1023))
      return std::bit_cast<double>(sign | kInfinityBits);
    if (kind_ == Kind::zero || exponent < -1075) return std::bit_cast<double>(sign);
    const int shift = exponent >= -1022 ? 11 : 11 - 1022 - exponent;  // at most 64
    std::uint64_t quotient = shift == 64 ? 0 : significand_ >> shift;
    const std::uint64_t rest = significand_ << (64 - shift);  // its first bit is half a unit
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
    if (rest > kHalf || (rest == kHalf && (quotient & 1) != 0)) ++quotient;
    // A quotient that rounds up to the next power of two carries into the exponent field, as it should.
    const std::uint64_t below = exponent > -1022 ? static_cast<std::uint64_t>(exponent + 1022) << 52 : 0;
    return std::bit_cast<double>(sign | (below + quotient));
  }

  /// x87's bits of the magnitude, which are in the order of values, and of a negative number their complement.
  constexpr Key128 key() const {
    constexpr int kBias = 16383;
    constexpr std::uint64_t kFirst = std::uint64_t{1} << 63;
    Key128 magnitude = 0;
    if (kind_ == Kind::finite) magnitude = Key128{exponent_ + 63 + kBias} << 64 | significand_;
    if (kind_ == Kind::infinite) magnitude = Key128{0x7FFF} << 64 | kFirst;
    if (kind_ == Kind::nan) magnitude = Key128{0x7FFF} << 64 | kFirst | kFirst >> 1;
    return negative_ ? ~magnitude : magnitude;
  }
  static constexpr SoftExtended of_key(Key128 key) {
    constexpr int kBias = 16383;
    SoftExtended result;
    result.negative_ = key < 0;
    const Key128 magnitude = key < 0 ? ~key : key;
    const auto significand = static_cast<std::uint64_t>(magnitude);
    const auto field = static_cast<int>(magnitude >> 64);
    if (field == 0x7FFF) return of(significand << 1 == 0 ? Kind::infinite : Kind::nan, result.negative_);
    if (magnitude == 0) return result;
    result.kind_ = Kind::finite;
    result.significand_ = significand;
    result.exponent_ = field - kBias - 63;
    return result;
  }

  /// The number times 2^e.
  constexpr SoftExtended scaled(int e) const {
    SoftExtended result = *this;
    if (kind_ == Kind::finite) result.exponent_ += e;
    return result;
  }

  constexpr SoftExtended operator-() const {
    SoftExtended result = *this;
    result.negative_ = !negative_;
    return result;
  }

  friend constexpr SoftExtended operator+(const SoftExtended& a, const SoftExtended& b) {
    if (a.kind_ != Kind::finite || b.kind_ != Kind::finite) return special_sum(a, b);
    const bool swapped = a.exponent_ < b.exponent_ || (a.exponent_ == b.exponent_ && a.significand_ < b.significand_);
    const SoftExtended& large = swapped ? b : a;
    const SoftExtended& small = swapped ? a : b;
    const int distance = large.exponent_ - small.exponent_;
    // 63 bits below the last one of the larger number, and room for a carry. What is cut off of the smaller one stands
    // as a last bit: it is not 0 only for a distance above 63, and then the rounding is far above that bit.
    const Wide high = Wide{large.significand_} << 63;
    Wide low = Wide{small.significand_} << 63;
    if (distance > 127) {
      low = 1;
    } else if (distance > 0) {
      const Wide kept = low >> distance;
      low = kept | static_cast<Wide>(kept << distance != low);
    }
    const Wide sum = large.negative_ == small.negative_ ? high + low : high - low;
    if (sum == 0) return {};  // +0.0
    return rounded(sum, large.exponent_ - 63, large.negative_);
  }
  friend constexpr SoftExtended operator-(const SoftExtended& a, const SoftExtended& b) { return a + -b; }

  friend constexpr bool operator<(const SoftExtended& a, const SoftExtended& b) {
    if (a.kind_ == Kind::nan || b.kind_ == Kind::nan || a == b) return false;
    const bool a_below = a.kind_ != Kind::zero && a.negative_;
    const bool b_below = b.kind_ != Kind::zero && b.negative_;
    if (a_below != b_below) return a_below;
    const auto smaller = [](const SoftExtended& x, const SoftExtended& y) {
      if (x.kind_ != y.kind_) return x.kind_ < y.kind_;
      return x.exponent_ != y.exponent_ ? x.exponent_ < y.exponent_ : x.significand_ < y.significand_;
    };
    return a_below ? smaller(b, a) : smaller(a, b);
  }
  friend constexpr bool operator==(const SoftExtended& a, const SoftExtended& b) {
    if (a.kind_ == Kind::nan || b.kind_ == Kind::nan || a.kind_ != b.kind_) return false;
    if (a.kind_ == Kind::zero) return true;
    return a.negative_ == b.negative_ && a.exponent_ == b.exponent_ && a.significand_ == b.significand_;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  enum class Kind : std::uint8_t { zero, finite, infinite, nan };

  static constexpr SoftExtended of(Kind kind, bool negative) {
    SoftExtended result;
    result.kind_ = kind;
    result.negative_ = negative;
    return result;
  }

  // All but finite + finite, neither of them 0.
  static constexpr SoftExtended special_sum(const SoftExtended& a, const SoftExtended& b) {
    if (a.kind_ == Kind::nan || b.kind_ == Kind::nan) return of(Kind::nan, false);
    if (a.kind_ == Kind::infinite && b.kind_ == Kind::infinite && a.negative_ != b.negative_)
      return of(Kind::nan, false);
    if (a.kind_ == Kind::infinite) return a;
    if (b.kind_ == Kind::infinite) return b;
    if (a.kind_ == Kind::zero && b.kind_ == Kind::zero) return of(Kind::zero, a.negative_ && b.negative_);
    return a.kind_ == Kind::zero ? b : a;
  }

  // wide * 2^exponent, not 0.
  static constexpr SoftExtended rounded(Wide wide, int exponent, bool negative) {
    const auto top = static_cast<std::uint64_t>(wide >> 64);
    const int shift = top != 0 ? std::countl_zero(top) : 64 + std::countl_zero(static_cast<std::uint64_t>(wide));
    wide <<= shift;
    SoftExtended result;
    result.kind_ = Kind::finite;
    result.negative_ = negative;
    result.significand_ = static_cast<std::uint64_t>(wide >> 64);
    result.exponent_ = exponent + 64 - shift;
    const auto rest = static_cast<std::uint64_t>(wide);
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
    if (rest > kHalf || (rest == kHalf && (result.significand_ & 1) != 0)) {
      if (++result.significand_ == 0) {
        result.significand_ = kHalf;
        ++result.exponent_;
      }
    }
    return result;
  }

  std::uint64_t significand_ = 0;  ///< its first bit is 1 for finite numbers but 0, else 0
  std::int32_t exponent_ = 0;      ///< of the last bit
  Kind kind_ = Kind::zero;
  bool negative_ = false;
};

}  // namespace orderlab
