// Reports on cross-checks: text, JSON, CSV.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"

namespace orderlab {

struct CrossCheckSummary {
  CrossCheckReport report;
  CrossCheckOptions options;
  std::vector<std::string> devices;
  double seconds = 0;  ///< for the text alone
};

std::string to_text(const CrossCheckSummary& summary, bool color);
std::string to_json(const CrossCheckSummary& summary);
std::string to_csv(const CrossCheckSummary& summary);

}  // namespace orderlab
