// Where bins of results lie: the same for text and CSV, and for pages, which read it off a store.
#pragma once

#include <cstdint>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/exact.hpp"

namespace orderlab {

/// A bin of results, [low, high).
struct ResultBin {
  double low_value;  ///< lower edge as a sum
  double low;        ///< lower edge as an error: ulps from the exact sum
  double high;
  std::uint64_t count;
};

/// Bins of `counts`, ascending. Edges are `index` 2^k ulp from the rounded sum (ResultCounts); as errors they are from
/// the exact sum, half an ulp away at most.
///
/// Shape: counts.binned(), a finite exact sum.
/// Error: edges are rounded twice.
std::vector<ResultBin> result_bins(const ResultCounts& counts, const ExactValue& exact);

}  // namespace orderlab
