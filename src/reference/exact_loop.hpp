// What adds to an ExactSum from inside: the scalar loop over terms, and integers that vector code collected.
#pragma once

#include <cstdint>

#include "orderlab/exact.hpp"
#include "reference/parts.hpp"

namespace orderlab {

__extension__ using Integer128 = __int128;

struct ExactLoop {
  /// Every term of `terms`, or its absolute value: one after the other, integers only.
  static void add(ExactSum& sum, const TermView& terms, bool absolute);

  /// n terms x[i], or x[i] * y[i].
  template <bool kProducts, bool kAbsolute, class T>
  static void add(ExactSum& sum, const T* x, const T* y, std::size_t n);

  /// integer * 2^exponent, where exponent is that of a double's or a product's bit at least. Does not count as a term:
  /// the sign of a zero sum is for add() to find.
  static void add_scaled(ExactSum& sum, Integer128 integer, int exponent);

  /// To be told of terms that are not zeros, when their sum is added by add_scaled().
  static void note_nonzero(ExactSum& sum);

  /// integer * 2^exponent, with the same bound on exponents. A zero is +0.
  static ExactValue value_of(Integer128 integer, int exponent);
  /// value / divisor, cut 192 bits below the last bit of the value; the last bit left is 1 where anything was cut, so
  /// that rounding it to a format rounds the quotient. The value is finite, a sum of doubles; 0 < divisor.
  static ExactValue quotient(const ExactValue& value, std::uint32_t divisor);

  static ExactValue negative_zero() { return {ExactValue::Kind::finite, true}; }

  /// Whether no further term can make the sum -0.
  static bool zero_is_positive(const ExactSum& sum) { return sum.other_than_negative_zero_ != 0; }

 private:
  friend class ExactSum;
  static void add(ExactSum::Word& word, std::uint64_t low, std::int64_t high);
  static void add_piece(ExactSum::Word* words, std::uint64_t significand, unsigned position, bool negative);
  static std::uint64_t carried(const ExactSum::Word& word, std::int64_t& carry);
  template <bool kProducts, bool kAbsolute, class T>
  static void add_block(ExactSum& sum, const T* x, const T* y, std::size_t n);
  template <bool kProducts, class T>
  [[gnu::noinline]] static void note_special(ExactSum& sum, const T* x, const T* y, bool negative);
};

}  // namespace orderlab
