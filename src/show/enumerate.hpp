// Text, CSV and JSON of `enumerate`.
#pragma once

#include <string>

#include "orderlab/study/enumerate.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::EnumerateFinding& finding, const TextStyle& style);

/// Columns order, bits, value, count, probability, error_ulp; one row per result, even for more than --max-distinct.
std::string to_csv(const study::EnumerateFinding& finding);

/// As that of `sample`, with "orders" instead of "samples", decimal texts as counts, and probabilities.
std::string to_json(const study::EnumerateFinding& finding);

/// "87178291200 sequences", "8.7e+44 sequences".
std::string orders_in_words(const Enumeration& enumeration);

}  // namespace orderlab
