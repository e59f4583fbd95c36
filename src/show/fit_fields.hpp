// What `fit` finds, field by field.
#pragma once

#include "describe/field.hpp"
#include "orderlab/study/fit.hpp"

namespace orderlab::described {

extern const TableOf<study::FitFinding> kFitDocument;

}  // namespace orderlab::described
