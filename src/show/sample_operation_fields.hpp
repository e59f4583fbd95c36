// What samples of an operation do, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::described {

extern const TableOf<study::OperationSampleFinding> kSampleOperationDocument;

}  // namespace orderlab::described
