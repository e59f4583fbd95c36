// Products of any number of doubles without rounding, by MPFR.
#pragma once

#include <cstdint>
#include <span>

#include "orderlab/format.hpp"

namespace orderlab {

/// A product, rounded in several ways, each once.
struct ExactProduct {
  double high = 0;         ///< the nearest double
  double low = 0;          ///< the double nearest to the product less `high`; 0 where `high` is infinite or NaN
  std::uint64_t bits = 0;  ///< in the format asked for
  int exponent = 0;        ///< floor(log2 |product|), at least -2^15 and at most 2^15; 0 for a product that is 0
};

/// The product of the factors; of none, 1.
///
/// Special: inf and NaN as IEEE 754 (0 * inf is NaN); a zero has the sign of the product of all signs.
/// Cost:    multiplications of integers of 53 bits a factor, halving the factors; about 0.3 us for a few.
ExactProduct exact_product(std::span<const double> factors, Format format);

}  // namespace orderlab
