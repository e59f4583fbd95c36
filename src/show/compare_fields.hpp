// What `compare` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/compare.hpp"

namespace orderlab::described {

extern const TableOf<study::CompareFinding> kCompareDocument;

}  // namespace orderlab::described
