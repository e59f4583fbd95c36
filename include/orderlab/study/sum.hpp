// What does one fixed order give? The bits, the error, the bounds.
#pragma once

#include <cstdint>

#include "orderlab/study/sample.hpp"

namespace orderlab::study {

struct SumRequest {
  Order order;  ///< fixed
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all; findings never depend on it
};

/// One order, evaluated once. Without orders when interrupted before that.
struct SumFinding : SampleFinding {
  /// The sum and its bits in the result format. Shape: orders not empty.
  double value() const;
  std::uint64_t bits() const;
};

/// Errors: usage for a random order, or one that cannot add the terms; unsupported for more memory than is free.
SumFinding sum(const Input& input, const SumRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
