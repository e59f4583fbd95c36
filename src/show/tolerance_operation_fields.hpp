// The tolerance of whole arrays, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/tolerance.hpp"

namespace orderlab::described {

/// A field for each measure. Its cell has the words for people.
extern const TableOf<study::OutputLimit> kOutputLimits;

extern const TableOf<study::OperationToleranceFinding> kToleranceOperationDocument;

}  // namespace orderlab::described
