// Text, JSON and CSV of a probe of fused steps.
#pragma once

#include <string>

#include "orderlab/study/fused_probe.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::FusedProbeFinding& finding, const TextStyle& style);

/// The document: head, config, verdict, orders, the reading, calls, and the first answer that disagrees.
std::string to_json(const study::FusedProbeFinding& finding);

/// One row: the verdict, the best order, and the reading.
std::string to_csv(const study::FusedProbeFinding& finding);

}  // namespace orderlab
