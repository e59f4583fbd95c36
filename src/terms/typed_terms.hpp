// The storage of Terms as numbers of the type that holds their format.
#pragma once

#include <cstddef>
#include <limits>

#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// The n numbers of `terms`. T is the type of their format.
template <class T>
T* numbers(Terms& terms) {
  return reinterpret_cast<T*>(terms.bytes().data());
}

/// `value` rounded to a format that T holds; every NaN becomes the canonical one, so that equal inputs have equal
/// hashes.
template <class T>
T rounded_term(Format format, double value) {
  if (format != kFormatOf<T>) value = value_of_bits(format, round_to_bits(format, value));
  return round_to<T>(value != value ? std::numeric_limits<double>::quiet_NaN() : value);
}

/// Whether a number was changed into another one, or into NaN, where it was stored.
inline bool is_other_number(double stored, double value) { return value == value && stored != value; }

}  // namespace orderlab
