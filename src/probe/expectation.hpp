// The order that a user expects of a box, compared with what was found.
#pragma once

#include <optional>

#include "probe/judgement.hpp"
#include "probe/replay.hpp"

namespace orderlab {

/// An order that draws is compared by all sums that it can give: Error(usage) where these are too many.
void require_listable(const WrittenOrder& expected, const AskedBox& box, BoxReplay& replay);

struct Comparison {
  bool as_expected = false;
  std::optional<PairThatDiffers> differs = {};
};

/// Whether the box has the tree and the bits of the order, or can have drawn its answers from it.
Comparison compare_with(const WrittenOrder& expected, const Judgement& found, AskedBox& box, BoxReplay& replay);

}  // namespace orderlab
