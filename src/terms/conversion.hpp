// Terms in another format.
#pragma once

#include "orderlab/terms.hpp"

namespace orderlab {

/// The same numbers, no products, rounded once to `format`; conversions that change one are counted. Every NaN is the
/// canonical one, so that equal inputs have equal hashes. Terms that are so already come back as they are.
Terms converted(Terms terms, Format format);

}  // namespace orderlab
