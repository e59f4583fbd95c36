// Exact values as integers: rounding, exponents, differences. Their decimal digits are in exact_decimal.cpp.
#include <cassert>
#include <limits>

#include "core/arithmetic_guard.hpp"
#include "core/infinity.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/ulp.hpp"
#include "reference/exact_digits.hpp"
#include "reference/natural.hpp"
#include "reference/parts.hpp"

namespace orderlab {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
}  // namespace

ExactValue::ExactValue() {
  static const auto kZero = std::make_shared<const Digits>();
  digits_ = kZero;
}

bool ExactValue::finite() const { return digits_->kind == Digits::Kind::finite; }

bool ExactValue::zero() const { return finite() && digits_->size == 0; }

int ExactValue::exponent() const {
  assert(finite() && !zero());
  return bit_length(digits_->magnitude()) - 1 + kLowestExponent;
}

std::uint64_t ExactValue::round_to(Format format) const {
  if (digits_->kind == Digits::Kind::nan) return round_to_bits(format, kNan);
  if (digits_->kind == Digits::Kind::infinite) return round_to_bits(format, digits_->negative ? -kInfinity : kInfinity);
  return round_natural(format, digits_->negative, digits_->magnitude(), kLowestExponent).bits;
}

double ExactValue::to_double() const { return value_of_bits(Format::fp64, round_to(Format::fp64)); }

double ExactValue::scaled(int exponent) const {
  if (!finite()) return to_double();
  const Rounded rounded =
      round_natural(Format::fp64, digits_->negative, digits_->magnitude(), kLowestExponent + exponent);
  return value_of_bits(Format::fp64, rounded.bits);
}

double ExactValue::difference(double x) const {
  const Parts parts = parts_of(x);
  if (!finite() || parts.special) return kNan;

  // |S| + |x| or |S| - |x|; the sign is that of -S, the other one if the subtraction wrapped.
  auto words = digits_->words;
  bool negative = !digits_->negative;
  const int position = parts.exponent - kLowestExponent;
  if (parts.negative == negative) {
    add_at(words, parts.significand, position);
  } else if (subtract_at(words, parts.significand, position)) {
    negate(words);
    negative = !negative;
  }
  // As IEEE 754: x - S that is 0 is +0, but -0 - +0 is -0.
  if (bit_length(words) == 0) negative = zero() && parts.negative && !digits_->negative;
  return value_of_bits(Format::fp64, round_natural(Format::fp64, negative, words, kLowestExponent).bits);
}

int ExactValue::ulp_exponent(Format format) const {
  assert(finite());
  return orderlab::ulp_exponent(format, zero() ? info(format).e_min : exponent());
}

}  // namespace orderlab
