// Verified captures as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "report/verification_report.hpp"

namespace orderlab {

nlohmann::ordered_json to_json(const VerificationReport& report);

}  // namespace orderlab
