// Arrival models fitted to a table of Vc, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/fit.hpp"

namespace orderlab::described {

extern const TableOf<study::OperationFitFinding> kFitOperationDocument;

}  // namespace orderlab::described
