// Text, CSV and JSON of `check --order any`.
#pragma once

#include <string>

#include "orderlab/study/check.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// The results, the best candidates as a table, how many there are, the exact sum, and a conclusion.
std::string to_text(const study::CheckAnyFinding& finding, const TextStyle& style);

/// One row for each candidate, the best first:
/// order,expression,format,kind,verdict,explained,bits,value,distance_ulp,orders,samples,distinct,p,also; empty where
/// there is none.
std::string to_csv(const study::CheckAnyFinding& finding);

/// The document: head, config, input, what was tried, the candidates, the verdict.
std::string to_json(const study::CheckAnyFinding& finding);

}  // namespace orderlab
