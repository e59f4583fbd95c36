// Is it a sum at all?
#pragma once

#include <string>

#include "probe/asked_box.hpp"
#include "probe/input_kinds.hpp"
#include "probe/pair_sizes.hpp"

namespace orderlab {

/// Sums of a few small whole numbers at random places, and of zeros, which are exact in any order and format. What was
/// wrong, in a line; empty where every answer was right. If all answers are sums of magnitudes or squares, or norms,
/// the line says so.
std::string wrong_sum_of_few(AskedBox& box);

/// One small number alone, of which an answer in fixed point, such as %.10f, has few digits, and one large number,
/// which may be clipped. As above.
std::string changed_term(AskedBox& box);

/// Every term at least once, by units that one call can count; a term that is left out or counted twice is found by
/// bisection. As above.
std::string miscounted_term(AskedBox& box, const Masks& masks);

/// Sums that are exact in every order of additions with so many bits: `varied` inputs, and one of them `repeated` times
/// more. As above.
std::string wrong_exact_sum(AskedBox& box, int precision, const ExponentRange& range, std::size_t varied,
                            std::size_t repeated);

/// NaN and infinities, each as one term beside ones: their sum is not finite. As above; a box that fails there, with an
/// error, is no wrong sum. It may be of no use afterwards.
std::string ignored_special(AskedBox& box);

}  // namespace orderlab
