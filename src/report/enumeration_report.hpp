// What a report on all orders of a sum is about.
#pragma once

#include <cstdint>
#include <string>

#include "experiment/enumerated_order.hpp"
#include "report/experiment_report.hpp"

namespace orderlab {

struct EnumerationReport {
  std::string command;
  InputReport input;
  EnumeratedOrder order;
  std::uint64_t max_distinct = 0;
  std::string baseline;  ///< expression given with --baseline; empty for the order's own

  bool binned() const { return order.enumeration.results.size() > max_distinct; }
};

}  // namespace orderlab
