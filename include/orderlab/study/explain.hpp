// Which kernel runs for an operation, and which outputs order can change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/study/operation.hpp"

namespace orderlab::study {

/// Outputs that have one reason in common.
struct OutputReason {
  std::string reason;  ///< "no contributions", "their units arrive in any order", ...
  bool varies = false;
  std::uint64_t outputs = 0;
};

/// Outputs of one row length.
struct OutputLength {
  std::uint64_t contributions = 0;
  std::uint64_t outputs = 0;
};

struct ExplainFinding {
  OperationFacts input;
  std::string deterministic;  ///< how the library's deterministic form adds; empty where there is none
  std::string deterministic_source;
  std::vector<OutputReason> reasons;  ///< every output once
  std::vector<OutputLength> lengths;  ///< ascending
};

ExplainFinding explain(const OperationInput& input);

}  // namespace orderlab::study
