#include "orderlab/run_summary.hpp"

#include <algorithm>
#include <cmath>

#include "core/float_environment.hpp"
#include "metrics/statistics.hpp"

namespace orderlab {

double RunSummary::spread() const {
  const FloatEnvironment environment;
  return max == min ? 0 : (max - min) / mean;
}

RunSummary summary_of_runs(std::vector<double> values) {
  const FloatEnvironment environment;
  RunSummary summary;
  if (values.empty()) return summary;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) summary.mean += value;
  summary.mean /= n;
  double squares = 0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  if (values.size() > 1 && std::isfinite(squares)) summary.sd = std::sqrt(squares / (n - 1));
  std::sort(values.begin(), values.end());
  summary.min = values.front();
  summary.low = quantile(values, 0.05);
  summary.median = quantile(values, 0.5);
  summary.high = quantile(values, 0.95);
  summary.max = values.back();
  return summary;
}

}  // namespace orderlab
