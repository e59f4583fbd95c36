// Sums that stop growing: at some size a running sum is so large that adding a term gives the same sum again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page/cells.hpp"

namespace orderlab {

/// The sum at which a series of one facet stopped growing: what all its results are, on all inputs, at the two or more
/// largest sizes, where it lacks half of the exact sum at least. Empty where it did not, or at one size only.
std::optional<double> stopped_at(const std::vector<Cell>& cells, const std::string& series, const std::string& facet);

/// One sentence for each way in which sums stop, facets with the same one joined, the smallest sums first.
std::vector<std::string> stopped_in_words(const std::vector<Cell>& cells);

}  // namespace orderlab
