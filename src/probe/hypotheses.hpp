// Orders that an unknown sum may have: the named orders and further pipelines that libraries use.
#pragma once

#include <cstddef>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/probe.hpp"

namespace orderlab {

/// A fixed order, and others with the same tree for this number of terms.
struct Hypothesis : WrittenOrder {
  std::vector<WrittenOrder> also;
};

/// Fixed orders that are valid for n terms (`products`: x*y) added in the format `accumulate`, the best known first:
/// the named orders with their defaults, with other arguments, pipelines without a name, and last the random named
/// orders with arrivals in launch order. Of those that add the same tree (order_key) the first has
/// the others with it.
///
/// Errors: usage for no terms.
/// Cost:   about 1500 orders are tried, 8 n bytes for each in turn.
std::vector<Hypothesis> hypotheses(std::size_t n, bool products, Format accumulate);

}  // namespace orderlab
