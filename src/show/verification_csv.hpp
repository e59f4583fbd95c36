// Verified captures as CSV.
#pragma once

#include <string>

#include "show/verification_report.hpp"

namespace orderlab {

/// One row a run.
std::string to_csv(const VerificationReport& report);

}  // namespace orderlab
