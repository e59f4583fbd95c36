// The options of `tolerance`, as typed and as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/enumerating.hpp"
#include "cli/sampling.hpp"
#include "orderlab/order.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::cli {

struct ToleranceOptions : CommonOptions {
  std::string coverage = "0.999";
  std::string confidence = "0.95";
  std::string against = "exact";
  std::string inputs = "1";
  std::string samples;
  std::string memory{kQuickMemory};
};

/// Options as values.
struct TolerancePlan {
  Order order;
  std::uint64_t seed = 1;
  double coverage = 0;
  double confidence = 0;
  Against against = Against::exact;
  bool new_inputs = false;                  ///< every draw on an input of its own
  std::optional<std::uint64_t> draws = {};  ///< as many were asked for
  double memory_bytes = 0;
  int threads = 0;
  bool progress = false;
};

/// Error(usage) for fractions, names and numbers that are none, and for fewer draws than any limit takes.
TolerancePlan parse_plan(const ToleranceOptions& options);

/// "coverage 0.999 with confidence 0.95".
std::string words(const TolerancePlan& plan);

}  // namespace orderlab::cli
