// What `train` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/train.hpp"

namespace orderlab::described {

extern const TableOf<study::TrainFinding> kTrainDocument;

}  // namespace orderlab::described
