// The flags of `tolerance`, and what they ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/enumerating.hpp"
#include "cli/sampling.hpp"
#include "orderlab/order.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::cli {

/// The flags, for the table of commands.
std::span<const Flag* const> tolerance_flags();

/// What the tolerance is for.
struct TolerancePlan {
  Order order;
  std::uint64_t seed = 1;
  double coverage = 0;
  double confidence = 0;
  Against against = Against::exact;
  std::uint64_t outputs = 1;                ///< of one comparison; the coverage is that of the largest
  bool new_inputs = false;                  ///< every draw on an input of its own
  std::optional<std::uint64_t> draws = {};  ///< number that the user gave
  double memory_bytes = 0;
  int threads = 0;
  bool progress = false;
};

/// Error(usage) for values that are none, and for fewer draws than any limit takes.
TolerancePlan parse_plan(const CommandLine& line, FileTable& files);

/// "coverage 0.999 with confidence 0.95".
std::string words(const TolerancePlan& plan);

/// What each draw, which is one output, has to cover.
double coverage_of_a_draw(const TolerancePlan& plan);

}  // namespace orderlab::cli
