// The verdict on a box whose calls with the same terms differ.
#pragma once

#include "probe/judgement.hpp"
#include "probe/known_box.hpp"

namespace orderlab {

/// It is not a sum, or rounds its additions at random, or draws its order. What calls agreed on before is forgotten.
Judgement judge_varying(const KnownBox& known);

/// Whether calls differ after all: few bits can hide it from sums of random inputs, sizes of subtrees show it.
bool varies_in_doubt(const KnownBox& known);

}  // namespace orderlab
