// Text, CSV and JSON of `tolerance`.
#pragma once

#include <string>

#include "orderlab/study/tolerance.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// The tolerance in three units, observed errors and bounds, and lines to paste.
std::string to_text(const study::ToleranceFinding& finding, const TextStyle& style);

/// One row a number, "kind,name,value,probability,confidence,note": the tolerances, what was observed, the bounds.
std::string to_csv(const study::ToleranceFinding& finding);

/// The document. Two runs of one config give the same bytes.
std::string to_json(const study::ToleranceFinding& finding);

}  // namespace orderlab
