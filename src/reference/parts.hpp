// Numbers of the formats taken apart into integers; no floating-point operation, so no mode of the machine matters.
#pragma once

#include <bit>
#include <cstdint>

#include "orderlab/format.hpp"

namespace orderlab {

/// (-1)^negative * significand * 2^exponent, or an infinity or NaN where `special`: then NaN has a significand != 0.
struct Parts {
  std::uint64_t significand;
  int exponent;
  bool negative;
  bool special;
};

/// The number that `bits` is in format F.
template <Format F>
constexpr Parts parts_of_bits(std::uint64_t bits) {
  constexpr FormatInfo f = info(F);
  constexpr std::uint64_t kHidden = std::uint64_t{1} << (f.precision - 1);
  constexpr std::uint64_t kFieldMask = (std::uint64_t{1} << (f.bits - f.precision)) - 1;
  const std::uint64_t field = (bits >> (f.precision - 1)) & kFieldMask;
  const std::uint64_t fraction = bits & (kHidden - 1);
  const bool negative = (bits >> (f.bits - 1)) != 0;
  const bool special = field == kFieldMask;
  const std::uint64_t hidden = std::uint64_t{field != 0 && !special} << (f.precision - 1);
  const int exponent = static_cast<int>(field) + (field == 0 ? 1 : 0) + f.e_min - f.precision;
  return {fraction | hidden, exponent, negative, special};
}

/// The bits of a double, float, Half or Bfloat16.
template <class T>
constexpr std::uint64_t pattern_of(T value) {
  if constexpr (kFormatOf<T> == Format::fp64)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (kFormatOf<T> == Format::fp32)
    return std::bit_cast<std::uint32_t>(value);
  else
    return value.bits;
}

/// Its parts.
template <class T>
constexpr Parts parts_of(T value) {
  return parts_of_bits<kFormatOf<T>>(pattern_of(value));
}

}  // namespace orderlab
