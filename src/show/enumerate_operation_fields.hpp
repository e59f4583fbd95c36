// All results of each output, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/operation_outcomes.hpp"

namespace orderlab::described {

extern const TableOf<study::OperationEnumerateFinding> kEnumerateOperationDocument;

}  // namespace orderlab::described
