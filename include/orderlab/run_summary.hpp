// One number of each sample, or run of a program, over all of them.
#pragma once

#include <optional>
#include <vector>

namespace orderlab {

struct RunSummary {
  double mean = 0;
  std::optional<double> sd = {};  ///< with n - 1; empty for one number, and where the squares overflow
  double min = 0;
  double low = 0;  ///< 5 % quantile (inverse ECDF), as are the median and `high`
  double median = 0;
  double high = 0;  ///< 95 % quantile
  double max = 0;

  /// (max - min) / mean; 0 where all are equal.
  double spread() const;
};

/// All 0 for no numbers. The mean adds them in the order given.
RunSummary summary_of_runs(std::vector<double> values);

}  // namespace orderlab
