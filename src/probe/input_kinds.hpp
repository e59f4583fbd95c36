// Inputs of many kinds, on which a box that looks at its terms behaves in more than one way.
#pragma once

#include <cstddef>
#include <cstdint>

#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

/// Exponents of normal numbers.
struct ExponentRange {
  int least = 0;
  int most = 0;
};

/// The exponents of the terms' format, without those at the upper end, where partial sums may overflow; moderate ones
/// for a box that reads text.
ExponentRange exponents_of_terms(const AskedBox& box);

/// Random terms that tell orders apart. The first eight are the classic ones: normal(0,1), spread, wide and cancelling
/// exponents, zeros and ties. What further ones are is drawn for each of these by itself: their distribution, signs,
/// arrangement, magnitude within the range, and last bits. The same ones for the same number.
Terms telling_terms(std::size_t n, Format format, const ExponentRange& range, std::uint64_t number);

/// The same for summands of one sign, |x| or x * x, every eighth of which is zero: terms from 0 on, or squares. Their
/// magnitudes differ by less than half of the precision: smaller ones would not tell orders apart.
Terms one_sided_terms(const AskedBox& box, std::uint64_t number);

/// Terms that are multiples of a power of two, and what they add up to: every partial sum is exact in every order.
struct ExactTerms {
  Terms terms;
  double sum = 0;
};

/// Such terms whose magnitudes add up to at most 2^bits of that power, of as many kinds; they do not add up to zero.
/// Exponents of partial sums that are not zero are in the range, which has 0 and `bits` in it.
///
/// Shape: 1 <= bits <= the precision of the format.
ExactTerms exact_terms(std::size_t n, Format format, int bits, const ExponentRange& range, std::uint64_t number);

}  // namespace orderlab
