// What `check` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/check.hpp"

namespace orderlab::described {

extern const TableOf<study::CheckFinding> kCheckDocument;

}  // namespace orderlab::described
