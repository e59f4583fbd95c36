#include "study/reached_limit.hpp"

#include <cmath>

#include "orderlab/tolerance.hpp"

namespace orderlab::study {

ReachedLimit reached_limit(std::uint64_t draws, double coverage, std::uint64_t outputs, double confidence) {
  if (draws == 0) return {};
  if (const std::uint64_t rank = limit_rank(draws, coverage_of_one(coverage, outputs), confidence); rank > 0)
    return {rank, coverage};
  // N draws at or below the largest: P(exceed) <= 1 - (1 - confidence)^(1/N), for one output.
  constexpr double kLeastUseful = 0.9;  // a test that fails more often than one run in ten is no test
  constexpr double kSteps = 1e4;        // down to four decimals, which is far more than the roundings of pow
  const double reached = std::pow(1 - confidence, static_cast<double>(outputs) / static_cast<double>(draws));
  const double rounded = std::floor(reached * kSteps) / kSteps;
  return rounded < kLeastUseful ? ReachedLimit{} : ReachedLimit{1, rounded};
}

}  // namespace orderlab::study
