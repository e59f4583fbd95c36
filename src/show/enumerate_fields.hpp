// What `enumerate` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/enumerate.hpp"

namespace orderlab::described {

extern const TableOf<study::EnumerateFinding> kEnumerateDocument;

}  // namespace orderlab::described
