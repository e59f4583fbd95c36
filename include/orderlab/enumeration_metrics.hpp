// Metrics of the exact distribution of an order's results.
#pragma once

#include <string>
#include <vector>

#include "orderlab/enumerate.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/record.hpp"

namespace orderlab {

/// Input of these metrics.
struct EnumerationMeasurement {
  const Evaluator& evaluator;
  const Enumeration& enumeration;
  const ExactValue& exact;    ///< S, the exact sum of the terms
  const ExactValue& sum_abs;  ///< A, the exact sum of their absolute values
  std::string baseline_name;  ///< of the fixed order that Vs compares with
  double baseline = 0;        ///< its result
  std::uint64_t baseline_bits = 0;
};

/// The metrics of metrics.hpp, by the same names, of a distribution that is known: nothing is unseen, quantiles have no
/// intervals (low = high = value) and sd is that of the distribution. Counts are decimal texts.
///
/// Error: means and sd to a few 2^-53 of the largest magnitude, all else is rounded once.
Record measure_all(const EnumerationMeasurement& m);

/// The results in bins of 2^exponent ulp(S), as ResultCounts has them.
struct EnumerationBins {
  struct Bin {
    double index;
    std::string count;
    double probability;
  };
  int exponent = 0;
  std::vector<Bin> bins;
};
EnumerationBins bins_of(const Enumeration& enumeration, const ExactValue& exact, Format format,
                        std::uint64_t max_distinct);

}  // namespace orderlab
