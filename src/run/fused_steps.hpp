// Fused sums in vectors: the bits of order/fused_sum.cpp, which is the definition.
#pragma once

#include <cstddef>
#include <span>

#include "orderlab/fused.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// `count` rows of n products each. Rows may overlap. Owns nothing.
struct FusedRows {
  const double* factors;  ///< product i of row r is factors[j] * factors[j + 1] with j = 2 * (r * stride + i)
  std::size_t count;
  std::size_t n;
  std::size_t stride;
};

/// Replaces sums[r] by FusedSum::sum that fused_sum() gives for the products of row r from sums[r] on: the same bits,
/// but for signs and payloads of NaN. Sets errors[r] to such a bound as FusedSum::error, unless `errors` is empty.
///
/// Shape:  sums.size() == rows.count; the same for errors, or no errors.
/// Errors: as fused_sum().
/// Cost:   steps that cut or add exactly are done in vectors: a row in each lane, or a step where rows are few. So are
///         steps of fp32 and fp64 additions where no errors are asked for. Steps of more than 1024 products, those with
///         so many fraction bits that their sums leave the doubles, and those with a NaN or an infinite number are done
///         by fused_sum().
void add_fused(const FusedUnit& unit, Format accumulate, const FusedRows& rows, std::span<double> sums,
               std::span<double> errors = {});

/// Writes both factors of each product, one after the other.
///
/// Shape: terms are products; room for 2 * terms.n numbers.
void write_factors(const TermView& terms, double* factors);

}  // namespace orderlab
