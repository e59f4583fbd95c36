// What adds to an ExactSum from inside: the scalar loop over terms, and integers that vector code collected.
#pragma once

#include <cstdint>

#include "orderlab/exact.hpp"
#include "reference/parts.hpp"

namespace orderlab {

struct ExactLoop {
  /// Every term of `terms`, or its absolute value: one after the other, integers only.
  static void add(ExactSum& sum, const TermView& terms, bool absolute);

  /// n terms x[i], or x[i] * y[i].
  template <bool kProducts, bool kAbsolute, class T>
  static void add(ExactSum& sum, const T* x, const T* y, std::size_t n);

  /// (-1)^negative * magnitude * 2^exponent, where exponent is that of a double's or a product's bit at least. Does not
  /// count as a term: the sign of a zero sum is for add() to find.
  static void add_scaled(ExactSum& sum, std::uint64_t magnitude, int exponent, bool negative);

  /// Whether no further term can make the sum -0.
  static bool zero_is_positive(const ExactSum& sum) { return sum.other_than_negative_zero_ != 0; }

 private:
  template <bool kProducts, bool kAbsolute, class T>
  static void add_block(ExactSum& sum, const T* x, const T* y, std::size_t n);
  static void note_special(ExactSum& sum, const Parts& a, const Parts& b, bool negative);
};

}  // namespace orderlab
