// Verified captures as JSON.
#pragma once

#include <string>

#include "show/verification_report.hpp"

namespace orderlab {

std::string to_json(const VerificationReport& report);

}  // namespace orderlab
