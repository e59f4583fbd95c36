// What `tolerance` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/tolerance.hpp"

namespace orderlab::described {

extern const TableOf<study::ToleranceFinding> kToleranceDocument;

}  // namespace orderlab::described
