// What `solve` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/solve.hpp"

namespace orderlab::described {

extern const TableOf<study::SolveFinding> kSolveDocument;

}  // namespace orderlab::described
