// The fields of `infer`.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/infer.hpp"

namespace orderlab::described {

extern const TableOf<study::InferFinding> kInferDocument;

}  // namespace orderlab::described
