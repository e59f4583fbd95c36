// What `sum` of an operation finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::described {

extern const TableOf<study::OperationSumFinding> kSumOperationDocument;

}  // namespace orderlab::described
