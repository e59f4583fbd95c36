// Whether steps are described alike.
#pragma once

#include "orderlab/steps.hpp"

namespace orderlab {

/// Whether both do the same additions and moves because all of their fields are equal. Steps that are described
/// differently may still do the same for some number of partial sums.
bool equal(const Steps& a, const Steps& b);
bool equal(const Step& a, const Step& b);

}  // namespace orderlab
