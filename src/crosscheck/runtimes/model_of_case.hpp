// What the model says of a case on one input.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crosscheck/runtimes/runtime_program.hpp"
#include "orderlab/study/crosscheck.hpp"

namespace orderlab {

/// A job against its order. What a row has of one input.
struct JudgedJob {
  std::uint64_t sums = 0;
  std::uint64_t matching = 0;
  std::optional<std::uint64_t> differs_elsewhere = {};
  std::uint64_t distinct = 1;
  std::optional<std::uint64_t> possible = {};
  std::optional<double> p = {};
  std::optional<study::RuntimeDifference> first = {};  ///< without a seed
};

/// Errors: usage for an order that does not fit the case; unsupported where its results are too many.
JudgedJob judge(const RuntimeJob& job);

}  // namespace orderlab
