// What `probe --fused` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/fused_probe.hpp"

namespace orderlab::described {

extern const TableOf<study::FusedProbeFinding> kFusedProbeDocument;

}  // namespace orderlab::described
