// An array that was checked, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/operation_outcomes.hpp"

namespace orderlab::described {

extern const TableOf<study::OperationCheckFinding> kCheckOperationDocument;

}  // namespace orderlab::described
