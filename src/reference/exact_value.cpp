// Exact values as integers: rounding, exponents, differences. Their decimal digits are in exact_decimal.cpp.
#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <memory>

#include "core/arithmetic_guard.hpp"
#include "core/infinity.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "reference/exact_digits.hpp"
#include "reference/natural.hpp"
#include "reference/parts.hpp"

namespace orderlab {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ExactValue::ExactValue(Kind kind, bool negative) : kind_(kind), negative_(negative) {}

ExactValue::ExactValue(bool negative, std::span<const std::uint64_t> words, std::size_t first) : negative_(negative) {
  while (!words.empty() && words.back() == 0) words = words.first(words.size() - 1);
  while (!words.empty() && words.front() == 0) {
    words = words.subspan(1);
    ++first;
  }
  if (words.empty()) return;
  first_ = static_cast<std::uint8_t>(first);
  size_ = static_cast<std::uint8_t>(words.size());
  if (words.size() <= kNearWords) {
    for (std::size_t i = 0; i < kNearWords; ++i) near_[i] = i < words.size() ? words[i] : 0;
  } else {
    const auto far = std::make_shared_for_overwrite<std::uint64_t[]>(words.size());
    std::ranges::copy(words, far.get());
    far_ = far;
  }
}

int ExactValue::lowest_exponent() const { return kLowestExponent + kWordBits * first_; }

bool ExactValue::finite() const { return kind_ == Kind::finite; }

bool ExactValue::zero() const { return finite() && size_ == 0; }

int ExactValue::exponent() const {
  assert(finite() && !zero());
  return bit_length(words()) - 1 + lowest_exponent();
}

std::uint64_t ExactValue::round_to(Format format) const {
  if (kind_ == Kind::nan) return round_to_bits(format, kNan);
  if (kind_ == Kind::infinite) return round_to_bits(format, negative_ ? -kInfinity : kInfinity);
  return round_natural(format, negative_, words(), lowest_exponent()).bits;
}

double ExactValue::to_double() const { return value_of_bits(Format::fp64, round_to(Format::fp64)); }

double ExactValue::scaled(int exponent) const {
  if (!finite()) return to_double();
  const Rounded rounded = round_natural(Format::fp64, negative_, words(), lowest_exponent() + exponent);
  return value_of_bits(Format::fp64, rounded.bits);
}

double ExactValue::difference(double x) const {
  const Parts parts = parts_of(x);
  if (!finite() || parts.special) return kNan;

  // |S| + |x| or |S| - |x|, on the words that either has and one for a carry. The sign is that of -S, the other one if
  // the subtraction wrapped.
  const int position = parts.exponent - kLowestExponent;
  const auto x_first = static_cast<std::size_t>(position / kWordBits);
  const std::size_t first = std::min(std::size_t{first_}, x_first);
  const std::size_t end = std::max(std::size_t{first_} + size_, x_first + 2) + 1;
  std::array<std::uint64_t, kExactWords + 1> storage;
  const std::span words(storage.data(), end - first);
  std::ranges::fill(words, 0);
  std::ranges::copy(this->words(), words.begin() + static_cast<std::ptrdiff_t>(first_ - first));
  const int offset = kWordBits * static_cast<int>(first);
  bool negative = !negative_;
  if (parts.negative == negative) {
    add_at(words, parts.significand, position - offset);
  } else if (subtract_at(words, parts.significand, position - offset)) {
    negate(words);
    negative = !negative;
  }
  // As IEEE 754: x - S that is 0 is +0, but -0 - +0 is -0.
  if (bit_length(words) == 0) negative = zero() && parts.negative && !negative_;
  return value_of_bits(Format::fp64, round_natural(Format::fp64, negative, words, kLowestExponent + offset).bits);
}

int ExactValue::ulp_exponent(Format format) const {
  assert(finite());
  return orderlab::ulp_exponent(format, zero() ? info(format).e_min : exponent());
}

}  // namespace orderlab
