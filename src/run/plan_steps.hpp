// The steps of an order, without a check; what can be said of steps, and of the terms of a plan.
#pragma once

#include <vector>

#include "orderlab/plan.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Shape: n >= 1. Of an order that is not valid for n, counts may be wrong.
std::vector<PlannedStep> plan_steps(const Order& order, std::size_t n, Format accumulate);

/// Error(usage) for terms that the plan is not for.
void check_terms(const Plan& plan, const TermView& terms);

/// Number of partial sums, of m, that the step can reduce on their own: splitting its input into consecutive parts, all
/// but the last of a multiple of this length, gives consecutive parts of its output. 0: no such number.
std::size_t period(const Step& step, std::size_t m);

/// How the step adds m partial sums if it is one group of all of them, in their order; else null.
const Combination* one_group(const Step& step, std::size_t m);

/// Whether a unit adds products in a step of the plan.
bool some_unit_adds(const Plan& plan);

/// How all parts of the split are added, if each is one group that is added in turn; else null.
const Combination* parts_in_turn(const steps::Split& split);

}  // namespace orderlab
