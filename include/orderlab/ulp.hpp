// Units in the last place.
#pragma once

#include <cstdint>

#include "orderlab/format.hpp"

namespace orderlab {

/// Exponent of ulp(S) = 2^(max(e, e_min) - p + 1) for a real S with floor(log2 |S|) = `e`; unbounded above.
constexpr int ulp_exponent(Format format, int e) {
  const FormatInfo& f = info(format);
  return (e > f.e_min ? e : f.e_min) - f.precision + 1;
}

/// Number of steps between two finite numbers of `format`, given as bit patterns; -0 and +0 are one.
std::uint64_t ulp_distance(Format format, std::uint64_t a, std::uint64_t b);

/// Maps bit patterns to integers in ascending order of value: -inf ... -0, +0 ... inf, NaN last.
std::int64_t ordered_key(Format format, std::uint64_t bits);

/// The bit pattern that has this key.
std::uint64_t bits_of_key(Format format, std::int64_t key);

}  // namespace orderlab
