// The results of all orders of a sum for people.
#pragma once

#include <string>

#include "orderlab/study/enumerate.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::EnumerateFinding& report, const TextStyle& style);

/// "87178291200 sequences", "8.7e+44 sequences".
std::string orders_in_words(const Enumeration& enumeration);

}  // namespace orderlab
