// What `fit` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/fit.hpp"

namespace orderlab::described {

extern const TableOf<study::FitFinding> kFitDocument;

}  // namespace orderlab::described
