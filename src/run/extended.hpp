// fp80 as a value: x87's where the processor has it, else integers; the bits are the same. It has no fast paths.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/ordered_number.hpp"
#include "orderlab/format.hpp"
#include "run/extended_soft.hpp"
#include "run/extended_x87.hpp"
#include "run/product.hpp"

namespace orderlab {

#if defined(__x86_64__)
using Extended = X87Extended;
#else
using Extended = SoftExtended;
#endif

template <>
inline constexpr Format kFormatOf<Extended> = Format::fp80;

template <>
struct KeyTypeOf<Extended> {
  using Type = Key128;
};
template <>
inline Key128 number_key(Extended value) {
  return value.key();
}
template <>
inline Extended number_of<Extended>(Key128 key) {
  return Extended::of_key(key);
}

/// |x| for numbers of any type.
template <class T>
T magnitude_of(T x) {
  if constexpr (std::is_same_v<T, Extended>)
    return x < Extended(0.0) ? -x : x;
  else
    return std::fabs(x);
}

namespace detail {

/// x * y rounded once to fp80.
template <>
inline Extended round_product<Extended>(double x, double y) {
  return Extended::product(x, y);
}

/// `sum` rounded to odd in fp64; inf where it is beyond the doubles.
inline double to_odd(Extended sum) {
  const auto nearest = static_cast<double>(sum);
  const Extended rest = sum - Extended(nearest);  // exact, or nearest is not finite
  return to_odd(nearest, rest < Extended(0.0) ? -1.0 : Extended(0.0) < rest ? 1.0 : 0.0);
}

}  // namespace detail

/// A double that rounds to the format `result` as `sum` does: `sum` itself but for fp80. A number of 64 bits is rounded
/// to odd on the way to formats of at most 24 bits, so that they are rounded to once (rounded_numbers.hpp).
template <class T>
double before_result(T sum, Format result) {
  if constexpr (std::is_same_v<T, Extended>)
    return result == Format::fp64 ? static_cast<double>(sum) : detail::to_odd(sum);
  else
    return static_cast<double>(sum);
}

/// u |sum|, u the unit roundoff of T, rounded to fp64. Sums of fp80 beyond the doubles have one too.
template <class T>
double roundoff_of(T sum) {
  if constexpr (std::is_same_v<T, Extended>)
    return std::fabs(static_cast<double>(sum.scaled(-info(Format::fp80).precision)));
  else
    return info(kFormatOf<T>).unit_roundoff() * std::fabs(static_cast<double>(sum));
}

/// Calls `f` with a null pointer to the type of accumulators of that format.
template <class F>
decltype(auto) with_accumulator_type(Format format, F&& f) {
  if (format == Format::fp80) return f(static_cast<Extended*>(nullptr));
  return with_type_of(format, std::forward<F>(f));
}

/// Calls `f` with a null pointer to the type of the numbers that are added in the format `accumulate`: products where a
/// plan fuses them. None fuses products into fp80.
template <class F>
decltype(auto) with_number_type(Format accumulate, bool fuses, F&& f) {
  if (accumulate == Format::fp80) return f(static_cast<Extended*>(nullptr));
  return with_type_of(accumulate, [&](auto* type) -> decltype(auto) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (fuses) return f(static_cast<Product<T>*>(nullptr));
    return f(static_cast<T*>(nullptr));
  });
}

}  // namespace orderlab
