// What a report is about: one input, and one or more orders sampled on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/input.hpp"
#include "experiment/order_run.hpp"

namespace orderlab {

struct ExperimentReport {
  std::string command;
  InputReport input;
  std::vector<AskedOrder> asked;    ///< all of them, in the order given
  std::vector<OrderReport> orders;  ///< those done; fewer only when interrupted
  std::uint64_t seed = 1;
  std::uint64_t samples = 0;                                     ///< asked for
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range;  ///< part of them, with --range
  std::uint64_t max_distinct = 0;
  std::string baseline;  ///< expression given with --baseline; empty for each order's own
  bool partial = false;  ///< interrupted
};

}  // namespace orderlab
