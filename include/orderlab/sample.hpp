// Sampling: many drawn orders of one sum, in parallel.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"

namespace orderlab {

/// Which samples to take, and how.
struct SampleOptions {
  std::uint64_t begin = 0;  ///< samples begin .. end-1; a part of a larger run is a range of it
  std::uint64_t end = 1000;
  int threads = 0;  ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< called from one thread at a time
};

/// Counts of the results of samples begin .. end-1, of begin .. k-1 when stopped (k is begin + counts.samples()).
///
/// The counts depend on (seed, range) alone, not on threads or timing; ranges merge exactly (ResultCounts::merge).
/// Errors: usage for an empty range or one beyond 2^48.
ResultCounts sample(const Evaluator& evaluator, const CountingFrame& frame, const SampleOptions& options);

}  // namespace orderlab
