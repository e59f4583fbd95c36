// An order whose roundings all lean one way, as far as the numbers allow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab {

struct BinadeOrder {
  bool greatest = true;  ///< prefer roundings up; else down
  bool negative_first = false;
  double foresight = 0;  ///< 0 to 1: weight of the rounding one binade lower, subtracted from that in a binade
};

/// One sign and then the other, each number in the binade of the running sum where its addition rounds as desired.
///
/// While the running sum stays in a binade it is a multiple of one ulp, so what rounding adds to s + x depends on x
/// alone (ties aside). The numbers that round best for their size fill the highest binade that the sum passes through,
/// where an ulp is largest; what is left fills the next lower one, and so on.
/// Cost: a sort of what is left for each binade.
std::vector<std::uint32_t> binade_order(std::span<const double> values, Format format, const BinadeOrder& wanted);

}  // namespace orderlab
