// The fields of `infer` with a model.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/infer_model.hpp"

namespace orderlab::described {

extern const TableOf<study::ModelInferFinding> kInferModelDocument;

}  // namespace orderlab::described
