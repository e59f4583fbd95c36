// Does a box choose its order by the values of the terms?
#pragma once

#include <string>

#include "probe/asked_box.hpp"
#include "probe/replay.hpp"

namespace orderlab {

/// What shows that it does, in a line: sums that no permutation changes, or inputs that have a plain order where others
/// have none. `accumulate`: what it adds in. Empty where nothing shows it. For a box that no tree explains.
std::string evidence_of_values(AskedBox& box, BoxReplay& replay, Format accumulate);

}  // namespace orderlab
