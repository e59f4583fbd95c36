// Doubles made of a binary exponent and a fraction, with integer operations only.
#pragma once

#include <bit>
#include <cstdint>

namespace orderlab {

inline constexpr int kLeastExponent = -1074;  ///< exponents of a double, subnormals included
inline constexpr int kGreatestExponent = 1023;

/// (1 + f) 2^e, f the upper 52 bits of `word` as a fraction, cut to what a subnormal of that exponent can hold.
/// -1074 <= e <= 1023; the result lies in [2^e, 2^(e+1)).
constexpr double in_binade(int e, std::uint64_t word) {
  constexpr int kFractionBits = 52;
  constexpr int kLeastNormal = -1022;
  const std::uint64_t fraction = word >> (64 - kFractionBits);
  if (e >= kLeastNormal)
    return std::bit_cast<double>((static_cast<std::uint64_t>(e - kLeastNormal + 1) << kFractionBits) | fraction);
  return std::bit_cast<double>(((std::uint64_t{1} << kFractionBits) | fraction) >> (kLeastNormal - e));
}

}  // namespace orderlab
