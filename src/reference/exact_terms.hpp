// Many terms into an ExactSum, the fastest way there is.
#pragma once

#include "orderlab/exact.hpp"

namespace orderlab {

/// Does what ExactLoop::add does, to the bit: every term of `terms`, or its absolute value.
void add_terms(ExactSum& sum, const TermView& terms, bool absolute);

}  // namespace orderlab
