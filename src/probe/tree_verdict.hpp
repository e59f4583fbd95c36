// The verdict on a box whose additions form one tree: the tree is proven or revealed by masks, then named.
#pragma once

#include <optional>

#include "probe/candidates.hpp"
#include "probe/judgement.hpp"
#include "probe/known_box.hpp"

namespace orderlab {

/// Asks for the trees of the candidates until one is proven. Empty where none is.
std::optional<Judgement> judge_candidates(const KnownBox& known, const Candidates& candidates);

/// Reveals the tree of a box that has that of no candidate.
Judgement judge_revealed(const KnownBox& known, const Candidates& candidates);

}  // namespace orderlab
