// What `check` finds, field by field.
#pragma once

#include "describe/field.hpp"
#include "orderlab/study/check.hpp"

namespace orderlab::described {

extern const TableOf<study::CheckFinding> kCheckDocument;

}  // namespace orderlab::described
