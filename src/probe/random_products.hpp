// Random products whose sums show how steps add: equal exponents, sums that cancel, subnormal numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Input `number` of n products of numbers of `factors`. No sum of any of them is beyond the greatest number of `sums`.
std::vector<Factors> random_products(Format factors, Format sums, std::size_t n, std::uint64_t number);

}  // namespace orderlab
