// Verdicts on boxes whose answers to masks and to random inputs do not fit together.
#pragma once

#include "probe/candidates.hpp"
#include "probe/judgement.hpp"
#include "probe/known_box.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// Masks show a tree, and random inputs have other bits.
Judgement judge_unlike_bits(const KnownBox& known, const Candidates& candidates, const TreeShape& shape);

/// Masks show a tree whose additions have a precision of no format; `mixed`: several precisions.
Judgement judge_unknown_precision(const KnownBox& known, const TreeShape& shape, bool mixed);

/// Answers to masks contradict each other, or do not count units.
Judgement judge_contradiction(const KnownBox& known, const Candidates& candidates);

}  // namespace orderlab
