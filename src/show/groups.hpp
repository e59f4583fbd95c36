// Text, CSV and JSON of answers by group.
#pragma once

#include <string>

#include "show/text_style.hpp"
#include "study/groups.hpp"

namespace orderlab {

std::string to_text(const study::GroupsFinding& finding, const TextStyle& style);

/// One row for each group.
std::string to_csv(const study::GroupsFinding& finding);
std::string to_json(const study::GroupsFinding& finding);

}  // namespace orderlab
