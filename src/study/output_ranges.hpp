// The range of samples of outputs, as far as it takes to see whether given results are inside.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "orderlab/output_sums.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// A result of an output, and the samples that it is compared with.
struct RangedOutput {
  std::uint32_t output = 0;
  std::uint64_t bits = 0;  ///< in the result format
  double least = 0;        ///< least of the samples that were drawn for it; above `greatest` where all were NaN
  double greatest = 0;
  bool inside = false;    ///< between two samples, NaN as one of them, or equal to launch order
  bool excluded = false;  ///< by proof
};

struct RangeOptions {
  std::uint64_t samples = 0;    ///< drawn for a result that stays outside
  bool other_arrivals = false;  ///< such a result is looked for in orders of other arrival models, too
  ArrivalCall arrival;
  DrawPath path;
  int threads = 0;
};

/// Draws samples kFirstCheckSample, ... in rounds, each only of outputs whose results are outside all samples so far: a
/// result inside some samples is inside all. After some rounds `excludes(output, bits)` is asked of those outside; what
/// it excludes is not sampled further. Never depends on threads.
///
/// Shape: outputs ascend, each one of sums.varying(); those with `inside` set are passed over.
void find_ranges(const OutputSums& sums, std::vector<RangedOutput>& outputs, const RangeOptions& options,
                 const Watch& watch, const std::function<bool(std::size_t, std::uint64_t)>& excludes);

}  // namespace orderlab::study
