// The least and the greatest of some numbers, as keys.
#pragma once

#include <cmath>

#include "core/ordered_number.hpp"

namespace orderlab {

/// Least and greatest result over one set of partial sums.
template <class T>
struct KeyRange {
  KeyOf<T> least = kGreatestKey<KeyOf<T>>;
  KeyOf<T> greatest = kNoKey<KeyOf<T>>;

  void include(T low, T high) {
    const KeyOf<T> low_key = number_key(low);
    const KeyOf<T> high_key = number_key(high);
    least = low_key < least ? low_key : least;
    greatest = high_key > greatest ? high_key : greatest;
  }
  KeyOf<T> end(bool of_greatest) const { return of_greatest ? greatest : least; }
};

/// Whether numbers of the two ranges can be +inf and -inf.
template <class T>
bool can_make_nan(const KeyRange<T>& a, const KeyRange<T>& b) {
  const auto sum = [](KeyOf<T> x, KeyOf<T> y) {
    return static_cast<double>(number_of<T>(x)) + static_cast<double>(number_of<T>(y));
  };
  return std::isnan(sum(a.greatest, b.least)) || std::isnan(sum(a.least, b.greatest));
}

}  // namespace orderlab
