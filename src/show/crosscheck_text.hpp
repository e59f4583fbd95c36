// Cross-checks as text for people.
#pragma once

#include <string>

#include "orderlab/study/crosscheck.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::CrossCheckFinding& summary, const TextStyle& style);

}  // namespace orderlab
