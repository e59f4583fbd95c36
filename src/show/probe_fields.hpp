// What `probe` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/probe.hpp"

namespace orderlab::described {

extern const TableOf<study::ProbeFinding> kProbeDocument;

}  // namespace orderlab::described
