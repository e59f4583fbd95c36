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

/// `value` rounded to T; every NaN becomes the canonical one, so that equal inputs have equal hashes.
template <class T>
T rounded_term(double value) {
  return round_to<T>(value != value ? std::numeric_limits<double>::quiet_NaN() : value);
}

}  // namespace orderlab
