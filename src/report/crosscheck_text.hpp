// Cross-checks as text for people.
#pragma once

#include <string>

#include "report/crosscheck_report.hpp"
#include "report/text_style.hpp"

namespace orderlab {

std::string to_text(const CrossCheckSummary& summary, const TextStyle& style);

}  // namespace orderlab
