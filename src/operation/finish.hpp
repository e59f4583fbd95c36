// What happens to a sum after its last contribution.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

/// x rounded to T, as a double.
template <class T>
double rounded_in(double x) {
  return static_cast<double>(round_to<T>(x));
}

/// That sum of output r, divided by its count where the operation divides, and rounded to T then.
///
/// Special: the quotient of T is that of doubles rounded once more, which is the correctly rounded one, as a double has
///          more than twice the bits of every T but itself.
template <class T>
double divided_sum(const LoweredOperation& operation, std::size_t r, T sum) {
  const auto value = static_cast<double>(sum);
  if (operation.divide_by.empty()) return value;
  return static_cast<double>(round_to<T>(value / static_cast<double>(operation.divide_by[r])));
}

/// The result of output r with that sum, still to be rounded to the result format: the initial value added to it where
/// that comes last, in T or, after it is rounded, in the result format, and the whole divided.
template <class T>
double finished(const LoweredOperation& operation, std::size_t r, T sum) {
  if (operation.addition.initial_last) {
    const T initial = static_cast<const T*>(operation.rows.initial->view().x)[r];
    if (operation.addition.initial_after_rounding)
      return with_type_of(operation.formats.result, [&](auto* type) {
        using R = std::remove_pointer_t<decltype(type)>;
        return static_cast<double>(round_to<R>(static_cast<double>(initial)) + round_to<R>(static_cast<double>(sum)));
      });
    sum = initial + sum;
  }
  return divided_sum(operation, r, sum);
}

}  // namespace orderlab
