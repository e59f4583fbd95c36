// How an order that was found is written.
#pragma once

#include <cstddef>

#include "orderlab/probe.hpp"

namespace orderlab {

/// With the name of a named order whose expression it has for some count, such as openmp(4); else its expression.
WrittenOrder written(const Order& order, std::size_t n);

}  // namespace orderlab
