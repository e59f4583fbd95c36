// What `check --against` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/check_difference.hpp"

namespace orderlab::described {

extern const TableOf<study::DifferenceFinding> kCheckDifferenceDocument;

}  // namespace orderlab::described
