// Terms k 2^e that a GPU's host program and orderlab draw alike: integer operations and exact scalings only. Plain C++
// that nvcc compiles, too.
#pragma once

#include <cstdint>
#include <string>

#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// The distribution dyadic(bits,exponent,spread): k 2^(exponent - j), k a uniform integer of `bits` bits with sign,
/// -2^(bits-1) .. 2^(bits-1)-1, j uniform in 0 .. spread.
struct Dyadic {
  int bits = 24;
  int exponent = 0;
  int spread = 0;

  static constexpr int kMostBits = 53;
  static constexpr int kLeastExponent = -1074;    ///< least exponent of k's unit: that of the smallest subnormal double
  static constexpr int kGreatestExponent = 1023;  ///< exponent of the greatest |k| 2^exponent

  /// Whether every draw is a double, as draw() needs.
  constexpr bool exact() const {
    return bits >= 1 && bits <= kMostBits && spread >= 0 && exponent - spread >= kLeastExponent &&
           exponent + bits - 1 <= kGreatestExponent;
  }

  /// The draw of one index, exact; k is the upper bits of its first word, j the upper half of its second times
  /// spread + 1, so that the probability of each j is off by less than 2^-32 (none where spread + 1 is a power of two).
  ///
  /// Shape: exact(), and `words` fresh.
  constexpr double draw(IndexGenerator& words) const {
    const auto k = static_cast<std::int64_t>(words()) >> (64 - bits);
    const auto j = static_cast<int>(((words() >> 32) * (static_cast<std::uint64_t>(spread) + 1)) >> 32);
    return static_cast<double>(k) * power_of_two(exponent - j);
  }

  /// Term `index` of generate_terms(to_string(*this), n, format, seed), as its bit pattern.
  constexpr std::uint64_t term_bits(Format format, std::uint64_t seed, std::uint64_t index) const {
    IndexGenerator words(RandomStream(seed, streams::kTerms, 0), index);
    return round_to_bits(format, draw(words));
  }
};

/// The distribution as --dist takes it.
inline std::string to_string(const Dyadic& dyadic) {
  return "dyadic(" + std::to_string(dyadic.bits) + "," + std::to_string(dyadic.exponent) + "," +
         std::to_string(dyadic.spread) + ")";
}

}  // namespace orderlab
