// The exact results of many rows, most of them short: what every order of a row's additions is compared with.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orderlab/contributions.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// One number a row. Its memory is first written where the rows are added, on whichever thread that is.
using RowNumbers = std::vector<double, detail::ZeroPages<double>>;

/// Exact results of D rows: each the sum, or the product, of the initial value, where there is one, and of the row's
/// contributions; of an empty row without initial value +0 or 1. A mean is the sum divided by a count.
struct ExactRows {
  ExactRows(Format result, std::size_t outputs)
      : high(outputs), low(outputs), magnitude(outputs), ulp(outputs), rounded(result, outputs) {}

  /// The nearest double; inf and NaN as IEEE 754, also inf for a finite result of 2^1024 or more.
  RowNumbers high;

  /// The double nearest to the result less `high`: |low| <= ulp(high) / 2, and high + low is the result exactly, or up
  /// to 2^-106 of it, of a mean 2^-104; of a product or a mean down to 2^-1074 only. 0 where `high` is not finite.
  RowNumbers low;

  /// The sum of all |x|, of a mean divided by its count; |high| of a product. Relative error of a row of n numbers:
  /// up to 8 are added one after the other, (n - 1) 2^-53; more with the rounding errors of these additions, which
  /// leaves 2^-53 + n^2 2^-106 [OgitaRumpOishi2005]. The division adds 2^-53. It is inf where
  /// the sum of all |x| is beyond the doubles.
  RowNumbers magnitude;

  /// 2^ulp_exponent of the result in its format (orderlab/format.hpp); of a result that is 0 u * magnitude, or where
  /// that is 0, too, the smallest subnormal. NaN where the result is not finite.
  RowNumbers ulp;

  /// The results, each rounded once to its format, to nearest, ties to even. NaN is canonical; a sum of negative zeros
  /// only is -0, any other sum of 0 is +0.
  Terms rounded;
};

/// |value - exact result| of row r in ulps; infinite for a value that is not finite where the exact result is, 0 where
/// neither is.
inline double ulp_error(const ExactRows& exact, std::size_t r, double value) {
  if (!std::isfinite(exact.high[r])) return 0;
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  return std::fabs((value - exact.high[r]) - exact.low[r]) / exact.ulp[r];
}

/// The exact results of `rows` in format `result`. The same for any loop.
///
/// Shape: divide_by is empty or has D counts of at least 1; it is empty for products.
/// Cost:  two or three additions in double a number where their errors are all that is left; up to 1 us a row where
///        exponents are far apart.
ExactRows exact_rows(const Contributions& rows, Combine combine, Format result, const Loop& loop = serial_loop,
                     std::span<const std::uint32_t> divide_by = {});

/// The same, over what `out` holds, which has the result format and D rows. Where its memory is old, this takes half
/// the time.
void exact_rows(const Contributions& rows, Combine combine, ExactRows& out, const Loop& loop = serial_loop,
                std::span<const std::uint32_t> divide_by = {});

}  // namespace orderlab
