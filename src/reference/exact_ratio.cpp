// (a - b) / c in integers: a long division that is rounded once.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "orderlab/exact.hpp"
#include "reference/natural.hpp"
#include "reference/parts.hpp"

namespace orderlab {

double exact_ratio(double a, double b, double c) {
  const FloatEnvironment environment;
  Parts p = parts_of(a);
  Parts q = parts_of(b);
  const Parts divisor = parts_of(c);
  assert(!p.special && !q.special && !divisor.special && divisor.significand != 0);
  if (p.significand == 0) p.exponent = q.exponent;  // so that fewer words are needed
  if (q.significand == 0) q.exponent = p.exponent;

  // a - b in units of 2^lowest: 54 bits above the distance of the exponents, at most 2045. Two words of zeros below it
  // give the quotient more than 128 - 53 bits.
  constexpr std::size_t kBelow = 2;
  std::array<std::uint64_t, kBelow + 33> storage{};
  const int lowest = std::min(p.exponent, q.exponent);
  const int bits = std::max(p.exponent, q.exponent) - lowest + 54;
  const std::span words(storage.data(), kBelow + static_cast<std::size_t>((bits + kWordBits - 1) / kWordBits));
  const std::span difference = words.subspan(kBelow);
  bool negative = p.negative;
  add_at(difference, p.significand, p.exponent - lowest);
  if (p.negative != q.negative) {
    add_at(difference, q.significand, q.exponent - lowest);
  } else if (subtract_at(difference, q.significand, q.exponent - lowest)) {
    negate(difference);
    negative = !negative;
  }
  // As IEEE 754: a - b that is 0 is +0, but -0 - +0 is -0.
  if (bit_length(difference) == 0) negative = p.negative && !q.negative;

  // An inexact quotient gets an odd last bit, far below the bits that rounding looks at except as "something".
  if (divide(words, divisor.significand) != 0) words[0] |= 1;
  const int exponent = lowest - divisor.exponent - static_cast<int>(kBelow) * kWordBits;
  const Rounded rounded = round_natural(Format::fp64, negative != divisor.negative, words, exponent);
  return value_of_bits(Format::fp64, rounded.bits);
}

}  // namespace orderlab
