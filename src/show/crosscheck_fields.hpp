// What `crosscheck` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/crosscheck.hpp"

namespace orderlab::described {

extern const TableOf<study::CrossCheckFinding> kCrossCheckDocument;

}  // namespace orderlab::described
