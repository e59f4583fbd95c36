// Verified captures as text for people.
#pragma once

#include <string>

#include "show/text_style.hpp"
#include "show/verification_report.hpp"

namespace orderlab {

std::string to_text(const VerificationReport& report, const TextStyle& style);

}  // namespace orderlab
