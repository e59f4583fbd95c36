// Accumulators of rows that are added in turn.
#pragma once

#include <span>

#include "core/arithmetic_guard.hpp"
#include "operation/finish.hpp"
#include "orderlab/operation.hpp"
#include "reference/lattice.hpp"
#include "run/arithmetic.hpp"

namespace orderlab {

/// One step of an accumulator of T.
template <class T, Combine kCombine, bool kFlush>
struct Accumulator {
  T operator()(T sum, T x) const {
    Floats<T, false> arith;
    if constexpr (kCombine == Combine::multiply)
      return sum * x;
    else if constexpr (kFlush)
      return arith.add_ftz(sum, x);
    else
      return arith.add(sum, x);
  }
};

/// Calls f with the accumulator of the addition, a type known when compiled.
template <class T, class F>
decltype(auto) with_accumulator(const OutputAddition& addition, F&& f) {
  if (addition.combine == Combine::multiply) return f(Accumulator<T, Combine::multiply, false>{});
  if constexpr (std::is_same_v<T, float>)
    if (addition.flush) return f(Accumulator<T, Combine::add, true>{});
  return f(Accumulator<T, Combine::add, false>{});
}

/// What an accumulator holds before the first of `count` contributions to output r, such that the step of `first`
/// leaves the first contribution as it is; of an empty row, the result.
template <class T>
T start_of(const LoweredOperation& operation, std::size_t r, std::size_t count) {
  const OutputAddition& addition = operation.addition;
  const bool multiplies = addition.combine == Combine::multiply;
  const auto& initial = operation.rows.initial;
  if (initial && (addition.start == AccumulatorStart::initial || count == 0))
    return static_cast<const T*>(initial->view().x)[r];
  if (multiplies) return T(1.0);
  return T(addition.start == AccumulatorStart::first && count > 0 ? -0.0 : 0.0);
}

/// Contributions to output r, in launch order.
template <class T>
std::span<const T> row_of(const Contributions& rows, std::size_t r) {
  const T* const values = static_cast<const T*>(rows.values.view().x);
  return {values + rows.row_begin[r], values + rows.row_begin[r + 1]};
}

/// Whether every partial sum of the numbers of a row and the accumulator's start is exact, in any order.
template <class T>
bool all_sums_exact(T start, std::span<const T> row, bool flush) {
  Lattice lattice;
  lattice.add(static_cast<double>(start));
  for (const T x : row) {
    lattice.add(static_cast<double>(x));
    if (!lattice.no_order_rounds(info(kFormatOf<T>), flush)) return false;
  }
  return true;
}

}  // namespace orderlab
