// What `fit` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/fit.hpp"

namespace orderlab::described {

extern const TableOf<study::FitFinding> kFitDocument;
extern const TableOf<OutlierRow> kOutlierRow;  ///< a row that takes no part

}  // namespace orderlab::described
