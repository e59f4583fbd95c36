// Is it a sum at all?
#pragma once

#include <string>

#include "probe/asked_box.hpp"
#include "probe/pair_sizes.hpp"

namespace orderlab {

/// Sums of a few small whole numbers at random places, and of zeros, which are exact in any order and format. What was
/// wrong, in a line; empty where every answer was right.
std::string wrong_sum_of_few(AskedBox& box);

/// One small number alone, of which an answer in fixed point, such as %.10f, has few digits, and one large number,
/// which may be clipped. As above.
std::string changed_term(AskedBox& box);

/// Every term at least once, by units that one call can count; a term that is left out or counted twice is found by
/// bisection. As above.
std::string miscounted_term(AskedBox& box, const Masks& masks);

}  // namespace orderlab
