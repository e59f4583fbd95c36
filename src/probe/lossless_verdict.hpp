// The verdict on a box whose additions lose no unit beside a mask: masks say nothing of its tree.
#pragma once

#include "probe/candidates.hpp"
#include "probe/judgement.hpp"
#include "probe/known_box.hpp"

namespace orderlab {

/// Its sums are exact, or compensated, or values choose how it adds.
Judgement judge_lossless(const KnownBox& known, const Candidates& candidates);

}  // namespace orderlab
