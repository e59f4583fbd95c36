#include "terms/conversion.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;

template <class T>
BitsOf<T> bits_of_number(const T& number) {
  BitsOf<T> bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

// Whether a NaN among them has other bits than the canonical one.
template <class T>
bool has_other_nan(const T* x, std::size_t n) {
  const BitsOf<T> canonical = bits_of_number(round_to<T>(std::numeric_limits<double>::quiet_NaN()));
  const BitsOf<T> infinity = bits_of_number(round_to<T>(std::numeric_limits<double>::infinity()));
  constexpr BitsOf<T> kMagnitude = static_cast<BitsOf<T>>(~BitsOf<T>{0}) >> 1;
  bool other = false;
  for (std::size_t i = 0; i < n; ++i) {
    const BitsOf<T> bits = bits_of_number(x[i]);
    other |= (bits & kMagnitude) > infinity && bits != canonical;
  }
  return other;
}

}  // namespace

Terms converted(Terms terms, Format format) {
  const TermView view = terms.view();
  return with_type_of(view.format, [&](auto* source) {
    using Source = std::remove_pointer_t<decltype(source)>;
    const Source* const from = static_cast<const Source*>(view.x);
    if (view.format == format && !has_other_nan(from, view.n)) return std::move(terms);
    Terms result(format, view.n);
    std::uint64_t changed = terms.inexact_conversions();
    with_type_of(format, [&](auto* target) {
      using T = std::remove_pointer_t<decltype(target)>;
      T* const to = numbers<T>(result);
      for (std::size_t i = 0; i < view.n; ++i) {
        const double value = static_cast<double>(from[i]);
        to[i] = rounded_term<T>(format, value);
        changed += is_other_number(static_cast<double>(to[i]), value) ? 1U : 0U;
      }
    });
    result.count_inexact(changed);
    return result;
  });
}

}  // namespace orderlab
