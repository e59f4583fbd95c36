// Several stores of one sweep become one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace orderlab {

struct MergeOutcome {
  std::size_t added = 0;
  std::size_t stored = 0;                     ///< points of the plan that OUT has now
  std::size_t planned = 0;                    ///< points of the plan
  std::vector<std::string> unprotected = {};  ///< what to say of stores without hashes
};

/// Adds the points of the stores `from` to the store `to`, which is made if it is not there. Whatever their order, and
/// however the points were split, the content is that of one run.
///
/// Errors: usage for a store that is to be merged with itself; input for stores of different plans, for two that differ
/// in what one point gave, for damaged ones, even where another store has the same points (a disk that loses bits is
/// not to be passed over), and those of Store. A store that was there is left as it was, unless its disk is full.
MergeOutcome merge_stores(const std::string& to, std::span<const std::string> from);

}  // namespace orderlab
