// What a report on all orders of a sum is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/enumeration_metrics.hpp"
#include "report/experiment_report.hpp"

namespace orderlab {

struct EnumerationReport {
  std::string command;
  InputReport input;
  AskedOrder asked;
  std::string name;  ///< of the order; empty for an expression
  std::string guarantee;
  std::optional<std::uint64_t> height;  ///< where it is the same for all orders
  std::vector<std::string> warnings;
  std::uint64_t max_distinct = 0;
  std::string baseline;  ///< expression given with --baseline; empty for the order's own
  Enumeration enumeration;
  Record metrics;

  bool binned() const { return enumeration.results.size() > max_distinct; }
};

}  // namespace orderlab
