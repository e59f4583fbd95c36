// What `check --order any` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/check.hpp"

namespace orderlab::described {

extern const TableOf<study::CheckAnyFinding> kCheckAnyDocument;

}  // namespace orderlab::described
