// Sums that stop growing: at some size a running sum is so large that adding a term gives the same sum again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page/cells.hpp"

namespace orderlab {

/// The sum at which a series of one facet stopped growing: the one that the metric `stagnation` has for all inputs at
/// the largest size. The metric cannot tell for random orders of different terms, nor for several running sums; there
/// it is the common value of all results on all inputs at the two largest sizes, if it lacks at least half of the exact
/// sum.
std::optional<double> stopped_at(const std::vector<Cell>& cells, const std::string& series, const std::string& facet);

/// One sentence for each way in which sums stop, facets with the same one joined, the smallest sums first.
std::vector<std::string> stopped_in_words(const std::vector<Cell>& cells);

}  // namespace orderlab
