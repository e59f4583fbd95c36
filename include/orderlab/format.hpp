// The floating-point formats: their parameters, the types that hold them, their bits, rounding a double to them, units
// in the last place, and what becomes of subnormal numbers.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orderlab {

/// IEEE 754 binary64, binary32, binary16, and bfloat16 (binary32 cut to 8 significant bits), which terms, sums and
/// results can have. fp80 is x87's extended precision: accumulators alone can have it. Terms alone can have tf32 (the
/// exponents of binary32, 11 significant bits), and e4m3 and e5m2 of [OFP8]: e4m3 has no infinity, one NaN for each
/// sign, and its greatest number is 448. Results alone can have e8m13 (binary32 cut to 14 significant bits).
enum class Format : std::uint8_t { fp64, fp32, fp16, bf16, fp80, tf32, e4m3, e5m2, e8m13 };

/// What can have a format.
struct FormatUses {
  bool terms;
  bool sums;
  bool results;
};

/// 2^e as a double, -1074 <= e <= 1023.
constexpr double power_of_two(int e) {
  constexpr int kBias = 1023;
  if (e >= -1022) return std::bit_cast<double>(static_cast<std::uint64_t>(e + kBias) << 52);
  return std::bit_cast<double>(std::uint64_t{1} << (e + 1074));
}

/// Parameters of a format: significand `precision` in bits, exponents of the normal numbers in [e_min, e_max].
struct FormatInfo {
  Format format;
  std::string_view name;
  int bits;
  int precision;
  int e_min;
  int e_max;
  std::array<std::string_view, 3> aliases;  ///< other names that are read, never written; "" where there are fewer
  int held_bits;                            ///< of a number in memory, in the type that with_type_of gives
  FormatUses uses;

  /// Bytes of a number in memory.
  constexpr std::size_t held_bytes() const { return static_cast<std::size_t>(held_bits) / 8; }

  /// Bytes of a number in the memory of a GPU: those of the least power of two that holds its bits.
  constexpr std::size_t gpu_bytes() const { return std::bit_ceil(static_cast<std::size_t>(bits)) / 8; }

  /// Digits of a bit pattern in hexadecimal.
  constexpr int hex_digits() const { return (bits + 3) / 4; }

  /// Whether it has infinities. Else numbers that are too large become NaN.
  constexpr bool has_infinity() const { return format != Format::e4m3; }

  /// Bit pattern of +infinity, or of NaN where there is none; and that of the canonical NaN. Not for fp80.
  constexpr std::uint64_t overflow_bits() const { return has_infinity() ? last_exponent() : nan_bits(); }
  constexpr std::uint64_t nan_bits() const {
    const std::uint64_t quiet = std::uint64_t{1} << (precision - 2);
    return last_exponent() | (has_infinity() ? quiet : 2 * quiet - 1);
  }

  /// Unit roundoff u = 2^-precision.
  constexpr double unit_roundoff() const { return power_of_two(-precision); }

  /// Smallest subnormal, 2^(e_min - precision + 1). 0 for fp80: products of two doubles and sums of these are normal
  /// numbers there.
  constexpr double smallest_subnormal() const {
    return format == Format::fp80 ? 0 : power_of_two(e_min - precision + 1);
  }

  /// Half the smallest subnormal: the largest rounding error below the normal range, eta of the bounds.
  /// For fp64 that is not a double, so this is an upper bound, the smallest subnormal.
  constexpr double underflow_unit() const {
    return format == Format::fp64 ? smallest_subnormal() : smallest_subnormal() / 2;
  }

 private:
  /// The pattern of all ones in the field of the exponent.
  constexpr std::uint64_t last_exponent() const {
    return ((std::uint64_t{1} << (bits - precision)) - 1) << (precision - 1);
  }
};

/// All formats: those of terms, sums and results alike, that of accumulators alone, those of terms or results alone.
inline constexpr std::array<FormatInfo, 9> kAllFormats{{
    {Format::fp64, "fp64", 64, 53, -1022, 1023, {"float64", "double"}, 64, {true, true, true}},
    {Format::fp32, "fp32", 32, 24, -126, 127, {"float32", "single", "float"}, 32, {true, true, true}},
    {Format::fp16, "fp16", 16, 11, -14, 15, {"float16", "half"}, 16, {true, true, true}},
    {Format::bf16, "bf16", 16, 8, -126, 127, {"bfloat16"}, 16, {true, true, true}},
    {Format::fp80, "fp80", 80, 64, -16382, 16383, {"longdouble", "extended"}, 128, {false, true, false}},
    {Format::tf32, "tf32", 19, 11, -126, 127, {"tensorfloat32"}, 32, {true, false, false}},
    {Format::e4m3, "e4m3", 8, 4, -6, 8, {"float8_e4m3fn", "e4m3fn", "fp8_e4m3"}, 16, {true, false, false}},
    {Format::e5m2, "e5m2", 8, 3, -14, 15, {"float8_e5m2", "fp8_e5m2"}, 16, {true, false, false}},
    {Format::e8m13, "e8m13", 22, 14, -126, 127, {}, 32, {false, false, true}},
}};

/// Those that accumulators can have.
inline constexpr std::span<const FormatInfo, 5> kAccumulateFormats = std::span(kAllFormats).first<5>();

/// Those that terms, sums and results alike can have.
inline constexpr std::span<const FormatInfo, 4> kFormats = std::span(kAllFormats).first<4>();

constexpr const FormatInfo& info(Format format) { return kAllFormats[static_cast<std::size_t>(format)]; }

/// The one of kFormats called `name`, in upper or lower case, or of that alias, if there is one.
std::optional<Format> find_format(std::string_view name);

/// Formats of the terms, of the partial sums, and of the result.
struct Formats {
  Format terms = Format::fp64;
  Format accumulate = Format::fp64;
  Format result = Format::fp64;

  friend bool operator==(const Formats&, const Formats&) = default;
};

/// The formats of sums of terms of that format where nobody says more: the same, or fp32 where sums cannot have it.
constexpr Formats formats_of_terms(Format terms) {
  const Format sums = info(terms).uses.sums ? terms : Format::fp32;
  return {terms, sums, sums};
}

/// Reads TERMS[:ACCUMULATE[:RESULT]]; a part left out is the one before it, but fp32 after terms of a format that sums
/// cannot have, and the result after fp80 is that of the terms. Error(usage) names the known formats.
Formats parse_formats(std::string_view text);

/// Error(usage) for a format in a place that it is not for, such as fp80 of terms.
void require_uses(const Formats& formats);

/// A text that parse_formats reads back: the shortest one, or one with the result where accumulators are fp80.
std::string to_string(const Formats& formats);

/// Bit pattern, in `format`, of `value` rounded to it (to nearest, ties to even; overflow to infinity, or to NaN where
/// there is none). Not for fp80.
///
/// NaN is canonical: quiet, positive, no payload.
constexpr std::uint64_t round_to_bits(Format format, double value) {
  const FormatInfo& f = info(format);
  if (value != value) return f.nan_bits();
  const std::uint64_t source = std::bit_cast<std::uint64_t>(value);
  if (format == Format::fp64) return source;

  const std::uint64_t sign = (source >> 63) << (f.bits - 1);
  const std::uint64_t magnitude = source & ~(std::uint64_t{1} << 63);
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const std::uint64_t overflow = f.has_infinity() ? sign | f.overflow_bits() : f.nan_bits();
  if (exponent > f.e_max) return overflow;
  if (exponent < f.e_min - f.precision) return sign;  // below half the smallest subnormal

  // The significand as an integer in units of 2^(exponent - 52); the target's unit is 2^(max(exponent, e_min) - p + 1).
  const std::uint64_t significand = (magnitude & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
  const bool normal = exponent >= f.e_min;
  const int shift = 53 - f.precision + (normal ? 0 : f.e_min - exponent);
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  std::uint64_t quotient = significand >> shift;
  if (rest > half || (rest == half && (quotient & 1) != 0)) ++quotient;

  // A quotient that rounds up to the next power of two carries into the exponent field, as it should.
  const std::uint64_t below = normal ? static_cast<std::uint64_t>(exponent - f.e_min) << (f.precision - 1) : 0;
  const std::uint64_t rounded = below + quotient;
  return rounded >= f.overflow_bits() ? overflow : sign | rounded;
}

/// A bit pattern in hexadecimal, "0x" and all digits of its format.
std::string bits_text(Format format, std::uint64_t bits);

/// The value of a bit pattern of `format`; every one is a double. NaN is the canonical one.
constexpr double value_of_bits(Format format, std::uint64_t bits) {
  if (format == Format::fp64) return std::bit_cast<double>(bits);
  if (format == Format::fp32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (format == Format::bf16) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
  if (format == Format::tf32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 13));
  if (format == Format::e8m13) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 10));
  if (format == Format::e4m3) {
    if ((bits & 0x7f) == info(format).nan_bits()) return std::numeric_limits<double>::quiet_NaN();
    // The same fraction and exponent in fp16, whose exponents are 8 higher.
    bits = (bits & 0x80) << 8 | (bits & 0x7f) << 7;
    return power_of_two(8) * value_of_bits(Format::fp16, bits);
  }
  if (format == Format::e5m2) bits <<= 8;  // the upper half of fp16
  const bool negative = (bits & 0x8000) != 0;
  const int field = static_cast<int>((bits >> 10) & 31);
  const int fraction = static_cast<int>(bits & 1023);
  if (field == 31 && fraction != 0) return std::numeric_limits<double>::quiet_NaN();
  double magnitude = std::numeric_limits<double>::infinity();
  if (field < 31) {
    // fraction and hidden bit, times 2^(field - 25), a normal double
    const double scale = std::bit_cast<double>(static_cast<std::uint64_t>((field == 0 ? 1 : field) - 25 + 1023) << 52);
    magnitude = (field == 0 ? fraction : fraction + 1024) * scale;
  }
  return negative ? -magnitude : magnitude;
}

/// A 16-bit format as a value: stored as its bits, every operation rounded once.
template <Format F>
struct Narrow {
  std::uint16_t bits = 0;

  constexpr Narrow() = default;
  constexpr explicit Narrow(double value) : bits(static_cast<std::uint16_t>(round_to_bits(F, value))) {}
  constexpr explicit operator double() const { return value_of_bits(F, bits); }

  // The double sum of two of these is exact or differs from a tie by far less than a rounding to 53 bits can hide
  // (53 >= 2 * 11 + 2), so rounding it once more is correct. Their product is exact in a double.
  friend constexpr Narrow operator+(Narrow a, Narrow b) {
    return Narrow(static_cast<double>(a) + static_cast<double>(b));
  }
  friend constexpr Narrow operator-(Narrow a, Narrow b) {
    return Narrow(static_cast<double>(a) - static_cast<double>(b));
  }
  friend constexpr Narrow operator*(Narrow a, Narrow b) {
    return Narrow(static_cast<double>(a) * static_cast<double>(b));
  }
  constexpr Narrow& operator+=(Narrow other) { return *this = *this + other; }
};

using Half = Narrow<Format::fp16>;
using Bfloat16 = Narrow<Format::bf16>;

/// The format that a C++ type holds.
template <class T>
inline constexpr Format kFormatOf = Format::fp64;
template <>
inline constexpr Format kFormatOf<float> = Format::fp32;
template <>
inline constexpr Format kFormatOf<Half> = Format::fp16;
template <>
inline constexpr Format kFormatOf<Bfloat16> = Format::bf16;

/// `value` rounded to T, to nearest, ties to even.
template <class T>
constexpr T round_to(double value) {
  return static_cast<T>(value);
}

/// The bit pattern of `value`, NaN canonical.
template <class T>
constexpr std::uint64_t bits_of(T value) {
  return round_to_bits(kFormatOf<T>, static_cast<double>(value));
}

/// Throws Error(unsupported): arrays cannot hold fp80 numbers.
[[noreturn]] void refuse_fp80_array();

/// Throws Error(unsupported): e8m13 is for the result of one sum.
[[noreturn]] void refuse_e8m13_array();

/// Calls `f` with a null pointer to the type that holds `format`: a switch written once. tf32 numbers are held as fp32,
/// e4m3 and e5m2 as fp16, which have the same values.
///
/// Errors: unsupported for fp80 and e8m13.
template <class F>
decltype(auto) with_type_of(Format format, F&& f) {
  switch (format) {
    case Format::fp32:
    case Format::tf32:
      return f(static_cast<float*>(nullptr));
    case Format::fp16:
    case Format::e4m3:
    case Format::e5m2:
      return f(static_cast<Half*>(nullptr));
    case Format::bf16:
      return f(static_cast<Bfloat16*>(nullptr));
    case Format::fp80:
      refuse_fp80_array();
    case Format::e8m13:
      refuse_e8m13_array();
    default:
      return f(static_cast<double*>(nullptr));
  }
}

/// Exponent of ulp(S) = 2^(max(e, e_min) - p + 1) for a real S with floor(log2 |S|) = `e`; unbounded above.
constexpr int ulp_exponent(Format format, int e) {
  const FormatInfo& f = info(format);
  return (e > f.e_min ? e : f.e_min) - f.precision + 1;
}

/// Number of steps between two finite numbers of `format`, given as bit patterns; -0 and +0 are one.
std::uint64_t ulp_distance(Format format, std::uint64_t a, std::uint64_t b);

/// Maps bit patterns to integers in ascending order of value: -inf ... -0, +0 ... inf, NaN last.
std::int64_t ordered_key(Format format, std::uint64_t bits);

/// The bit pattern that has this key.
std::uint64_t bits_of_key(Format format, std::int64_t key);

/// What is known of fp32 atomics and additions: whether subnormal operands and sums become signed zeros.
enum class Flushing : std::uint8_t {
  either,  ///< unknown: each addition may
  yes,
  no,
};

constexpr std::string_view name_of(Flushing flushing) {
  constexpr std::string_view kNames[] = {"either", "yes", "no"};
  return kNames[static_cast<std::size_t>(flushing)];
}

}  // namespace orderlab
