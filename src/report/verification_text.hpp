// Verified captures as text for people.
#pragma once

#include <string>

#include "report/text_style.hpp"
#include "report/verification_report.hpp"

namespace orderlab {

std::string to_text(const VerificationReport& report, const TextStyle& style);

}  // namespace orderlab
