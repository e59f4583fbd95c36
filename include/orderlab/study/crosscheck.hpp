// Kernels against the orders that they claim.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"

namespace orderlab::study {

struct CrossCheckFinding {
  CrossCheckReport report;
  CrossCheckOptions options;
  std::vector<std::string> devices;
  std::vector<std::string> kernels;  ///< as asked for; none: all

  std::uint64_t cases() const {
    std::uint64_t all = 0;
    for (const CrossCheckRow& row : report.rows) all += row.cases;
    return all;
  }
};

}  // namespace orderlab::study
