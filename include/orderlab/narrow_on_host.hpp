// CUDA's 16-bit floating-point types on the host: __half and __nv_bfloat16 with the conversions, operators and
// comparisons that cuda_fp16.h and cuda_bf16.h give them, and the commonest of their functions.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "orderlab/format.hpp"

namespace orderlab::simt {

/// A number of a 16-bit format. Operations round once, to nearest; conversions to integers truncate, saturate, and make
/// of NaN 0, or 2^63 in 64 bits, all as on a GPU.
template <Format F>
struct Narrow16 {
  std::uint16_t bits = 0;

  constexpr Narrow16() = default;
  constexpr Narrow16(double value) : bits(static_cast<std::uint16_t>(round_to_bits(F, value))) {}
  constexpr Narrow16(float value) : Narrow16(static_cast<double>(value)) {}
  template <class Integer>
  requires(std::is_integral_v<Integer>) constexpr Narrow16(Integer value) : Narrow16(of_integer(value)) {}

  static constexpr Narrow16 of_bits(std::uint16_t bits) {
    Narrow16 number;
    number.bits = bits;
    return number;
  }

  constexpr operator float() const { return static_cast<float>(value_of_bits(F, bits)); }
  constexpr operator bool() const { return (bits & 0x7FFFU) != 0; }
  template <class Integer>
  requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>) constexpr operator Integer() const {
    const double value = value_of_bits(F, bits);
    if (value != value) return sizeof(Integer) == 8 ? static_cast<Integer>(std::uint64_t{1} << 63) : Integer{0};
    if (value <= static_cast<double>(std::numeric_limits<Integer>::min())) return std::numeric_limits<Integer>::min();
    if (value >= static_cast<double>(std::numeric_limits<Integer>::max())) return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(value);
  }

  // The double of a sum, a difference or a quotient differs from a tie by far more than its own rounding unless it is
  // one (53 >= 2 * 11 + 2); a product is a double.
  friend constexpr Narrow16 operator+(Narrow16 a, Narrow16 b) { return a.value() + b.value(); }
  friend constexpr Narrow16 operator-(Narrow16 a, Narrow16 b) { return a.value() - b.value(); }
  friend constexpr Narrow16 operator*(Narrow16 a, Narrow16 b) { return a.value() * b.value(); }
  friend constexpr Narrow16 operator/(Narrow16 a, Narrow16 b) { return a.value() / b.value(); }
  friend constexpr Narrow16 operator-(Narrow16 a) { return of_bits(static_cast<std::uint16_t>(a.bits ^ 0x8000U)); }
  friend constexpr Narrow16 operator+(Narrow16 a) { return a; }
  constexpr Narrow16& operator+=(Narrow16 other) { return *this = *this + other; }
  constexpr Narrow16& operator-=(Narrow16 other) { return *this = *this - other; }
  constexpr Narrow16& operator*=(Narrow16 other) { return *this = *this * other; }
  constexpr Narrow16& operator/=(Narrow16 other) { return *this = *this / other; }
  constexpr Narrow16& operator++() { return *this += Narrow16(1); }
  constexpr Narrow16& operator--() { return *this -= Narrow16(1); }
  constexpr Narrow16 operator++(int) { return std::exchange(*this, *this + Narrow16(1)); }
  constexpr Narrow16 operator--(int) { return std::exchange(*this, *this - Narrow16(1)); }

  friend constexpr bool operator==(Narrow16 a, Narrow16 b) { return a.value() == b.value(); }
  friend constexpr bool operator!=(Narrow16 a, Narrow16 b) { return a.value() != b.value(); }
  friend constexpr bool operator<(Narrow16 a, Narrow16 b) { return a.value() < b.value(); }
  friend constexpr bool operator<=(Narrow16 a, Narrow16 b) { return a.value() <= b.value(); }
  friend constexpr bool operator>(Narrow16 a, Narrow16 b) { return a.value() > b.value(); }
  friend constexpr bool operator>=(Narrow16 a, Narrow16 b) { return a.value() >= b.value(); }

  constexpr double value() const { return value_of_bits(F, bits); }
  constexpr bool nan() const { return value() != value(); }

 private:
  // A rounding to double on the way could make a tie of what is none.
  template <class Integer>
  static constexpr double of_integer(Integer value) {
    const auto magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const std::uint64_t sticky = magnitude >> 53 == 0
                                     ? magnitude
                                     : (magnitude & ~std::uint64_t{0xFFF}) | ((magnitude & 0xFFF) != 0 ? 0x1000U : 0U);
    return value < 0 ? -static_cast<double>(sticky) : static_cast<double>(sticky);
  }
};

/// a * b + c rounded once.
template <Format F>
Narrow16<F> fused(Narrow16<F> a, Narrow16<F> b, Narrow16<F> c) {
  const double product = a.value() * b.value();  // exact
  const double sum = product + c.value();
  if (!std::isfinite(sum)) return sum;
  // The part of the sum that was rounded away; where there is one, the neighbour with an odd last bit rounds as the
  // exact sum does [BoldoMelquiond2008].
  const double added = sum - product;
  const double rest = (product - (sum - added)) + (c.value() - added);
  if (rest == 0 || (std::bit_cast<std::uint64_t>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, rest > 0 ? HUGE_VAL : -HUGE_VAL);
}

/// The greater of two; of a number and NaN the number; of -0 and +0 the latter.
template <Format F>
Narrow16<F> greatest(Narrow16<F> a, Narrow16<F> b) {
  if (a.nan()) return b;
  if (b.nan()) return a;
  if (a.value() == b.value()) return (a.bits & 0x8000U) != 0 ? b : a;
  return a > b ? a : b;
}

/// Two of them, as one word of four bytes.
template <Format F>
struct alignas(4) Narrow16Pair {
  Narrow16<F> x;
  Narrow16<F> y;

  friend constexpr Narrow16Pair operator+(Narrow16Pair a, Narrow16Pair b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Narrow16Pair operator-(Narrow16Pair a, Narrow16Pair b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Narrow16Pair operator*(Narrow16Pair a, Narrow16Pair b) { return {a.x * b.x, a.y * b.y}; }
  friend constexpr Narrow16Pair operator/(Narrow16Pair a, Narrow16Pair b) { return {a.x / b.x, a.y / b.y}; }
  friend constexpr Narrow16Pair operator-(Narrow16Pair a) { return {-a.x, -a.y}; }
  constexpr Narrow16Pair& operator+=(Narrow16Pair other) { return *this = *this + other; }
  constexpr Narrow16Pair& operator-=(Narrow16Pair other) { return *this = *this - other; }
  constexpr Narrow16Pair& operator*=(Narrow16Pair other) { return *this = *this * other; }
  constexpr Narrow16Pair& operator/=(Narrow16Pair other) { return *this = *this / other; }
  friend constexpr bool operator==(Narrow16Pair a, Narrow16Pair b) { return a.x == b.x && a.y == b.y; }
};

}  // namespace orderlab::simt

namespace orderlab {

template <>
inline constexpr Format kFormatOf<simt::Narrow16<Format::fp16>> = Format::fp16;
template <>
inline constexpr Format kFormatOf<simt::Narrow16<Format::bf16>> = Format::bf16;

}  // namespace orderlab

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's

using __half = orderlab::simt::Narrow16<orderlab::Format::fp16>;
using __nv_bfloat16 = orderlab::simt::Narrow16<orderlab::Format::bf16>;
using __half2 = orderlab::simt::Narrow16Pair<orderlab::Format::fp16>;
using __nv_bfloat162 = orderlab::simt::Narrow16Pair<orderlab::Format::bf16>;
using half = __half;
using half2 = __half2;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

// ---- 16-bit arithmetic, every operation rounded to nearest
#define ORDERLAB_NARROW template <orderlab::Format F>
#define ORDERLAB_NUMBER orderlab::simt::Narrow16<F>
#define ORDERLAB_PAIR orderlab::simt::Narrow16Pair<F>
#define ORDERLAB_OPERATION(NAME, OPERATOR)                                                            \
  ORDERLAB_NARROW ORDERLAB_NUMBER NAME(ORDERLAB_NUMBER a, ORDERLAB_NUMBER b) { return a OPERATOR b; } \
  ORDERLAB_NARROW ORDERLAB_PAIR NAME##2(ORDERLAB_PAIR a, ORDERLAB_PAIR b) { return a OPERATOR b; }
ORDERLAB_OPERATION(__hadd, +)
ORDERLAB_OPERATION(__hsub, -)
ORDERLAB_OPERATION(__hmul, *)
#undef ORDERLAB_OPERATION
#define ORDERLAB_OPERATION(NAME, OPERATOR) \
  ORDERLAB_NARROW ORDERLAB_NUMBER NAME(ORDERLAB_NUMBER a, ORDERLAB_NUMBER b) { return a OPERATOR b; }
ORDERLAB_OPERATION(__hdiv, /)
ORDERLAB_OPERATION(__hadd_rn, +)
ORDERLAB_OPERATION(__hsub_rn, -)
ORDERLAB_OPERATION(__hmul_rn, *)
#undef ORDERLAB_OPERATION
#define ORDERLAB_COMPARISON(NAME, OPERATOR) \
  ORDERLAB_NARROW bool NAME(ORDERLAB_NUMBER a, ORDERLAB_NUMBER b) { return a OPERATOR b; }
ORDERLAB_COMPARISON(__heq, ==)
ORDERLAB_COMPARISON(__hneu, !=)
ORDERLAB_COMPARISON(__hlt, <)
ORDERLAB_COMPARISON(__hle, <=)
ORDERLAB_COMPARISON(__hgt, >)
ORDERLAB_COMPARISON(__hge, >=)
#undef ORDERLAB_COMPARISON
ORDERLAB_NARROW bool __hne(ORDERLAB_NUMBER a, ORDERLAB_NUMBER b) { return a < b || a > b; }
ORDERLAB_NARROW bool __hisnan(ORDERLAB_NUMBER a) { return a.nan(); }
ORDERLAB_NARROW ORDERLAB_NUMBER __hfma(ORDERLAB_NUMBER a, ORDERLAB_NUMBER b, ORDERLAB_NUMBER c) {
  return orderlab::simt::fused(a, b, c);
}
ORDERLAB_NARROW ORDERLAB_PAIR __hfma2(ORDERLAB_PAIR a, ORDERLAB_PAIR b, ORDERLAB_PAIR c) {
  return {orderlab::simt::fused(a.x, b.x, c.x), orderlab::simt::fused(a.y, b.y, c.y)};
}
ORDERLAB_NARROW ORDERLAB_NUMBER __hneg(ORDERLAB_NUMBER a) { return -a; }
ORDERLAB_NARROW ORDERLAB_PAIR __hneg2(ORDERLAB_PAIR a) { return -a; }
ORDERLAB_NARROW ORDERLAB_NUMBER __habs(ORDERLAB_NUMBER a) {
  return ORDERLAB_NUMBER::of_bits(static_cast<std::uint16_t>(a.bits & 0x7FFFU));
}
ORDERLAB_NARROW ORDERLAB_NUMBER __hmax(ORDERLAB_NUMBER a, ORDERLAB_NUMBER b) { return orderlab::simt::greatest(a, b); }
ORDERLAB_NARROW ORDERLAB_NUMBER __hmin(ORDERLAB_NUMBER a, ORDERLAB_NUMBER b) {
  return a.nan() ? b : b.nan() ? a : -orderlab::simt::greatest(-a, -b);
}
ORDERLAB_NARROW ORDERLAB_NUMBER hsqrt(ORDERLAB_NUMBER a) { return std::sqrt(a.value()); }

// ---- Conversions between formats
inline __half __float2half(float x) { return x; }
inline __half __float2half_rn(float x) { return x; }
inline __half __double2half(double x) { return x; }
inline float __half2float(__half x) { return x; }
inline __half __int2half_rn(int x) { return x; }
inline int __half2int_rz(__half x) { return x; }
inline __half __ushort_as_half(unsigned short bits) { return __half::of_bits(bits); }
inline unsigned short __half_as_ushort(__half x) { return x.bits; }
inline __nv_bfloat16 __float2bfloat16(float x) { return x; }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
inline __nv_bfloat16 __double2bfloat16(double x) { return x; }
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16::of_bits(bits); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }

// ---- Pairs of 16-bit numbers
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half2 make_half2(__half a, __half b) { return {a, b}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __float2half2_rn(float a) { return {a, a}; }
inline __half2 __floats2half2_rn(float a, float b) { return {a, b}; }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline float __low2float(__half2 a) { return a.x; }
inline float __high2float(__half2 a) { return a.y; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {a, b}; }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
inline float __low2float(__nv_bfloat162 a) { return a.x; }
inline float __high2float(__nv_bfloat162 a) { return a.y; }
#undef ORDERLAB_NARROW
#undef ORDERLAB_NUMBER
#undef ORDERLAB_PAIR

// NOLINTEND(readability-identifier-naming)
