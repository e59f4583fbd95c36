// What the built-in metrics find.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "orderlab/value.hpp"

namespace orderlab {

/// Different bit patterns among the results.
struct DistinctResults {
  std::optional<std::uint64_t> count;  ///< empty for samples in bins
};

/// Results that are no finite numbers: numbers of samples, or of orders as decimal texts.
struct NonfiniteResults {
  Value inf;
  Value minus_inf;
  Value nan;
};

/// Quantiles that are reported.
struct ReportedQuantile {
  double p;
  std::string_view name;
  std::string_view help;
};
inline constexpr ReportedQuantile kQuantiles[] = {
    {0.01, "0.01", "The 1 % quantile"},
    {0.05, "0.05", "The 5 % quantile"},
    {0.25, "0.25", "The 25 % quantile"},
    {0.5, "0.5", "The 50 % quantile"},
    {0.75, "0.75", "The 75 % quantile"},
    {0.95, "0.95", "The 95 % quantile"},
    {0.99, "0.99", "The 99 % quantile"},
};

/// A distribution, summed up; empty where there is nothing to say.
struct Summary {
  struct Quantile {
    std::optional<double> value;
    std::optional<double> low;  ///< lower end of its interval
    std::optional<double> high;
  };
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> mean;
  std::optional<double> sd;
  std::optional<double> max_abs;
  std::array<Quantile, std::size(kQuantiles)> quantiles = {};  ///< those of kQuantiles

  /// Sets min, max and max_abs.
  void set_extremes(double least, double greatest);
};

/// Errors result - S of the finite results.
struct ErrorSummary {
  Summary ulp;        ///< in ulps of S in the result format; next to S = 0 the smallest subnormal
  Summary relative;   ///< as parts of |S|; empty for S = 0
  Summary u_sum_abs;  ///< in u sum |x|, u the unit roundoff of the accumulate format
};

/// Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd, S_d the result of a fixed order.
struct VsSummary {
  std::string baseline;       ///< the fixed order
  std::string baseline_bits;  ///< bits of its result
  std::optional<double> offset;
  std::optional<double> spread;
  std::optional<double> max_abs;
};

/// Least and greatest running bound of the samples.
struct RunningBounds {
  std::optional<double> min;
  std::optional<double> max;
};

/// A bound that holds with a probability.
struct ProbabilisticBound {
  std::optional<double> value;
  double probability = 0;
};

/// Bounds on |result - S| (bounds.hpp); empty where none is derived.
struct BoundSummary {
  RunningBounds running;
  std::optional<double> gamma;
  ProbabilisticBound probabilistic;
  std::optional<double> any_order;
  ProbabilisticBound higham_mary;     ///< for samples
  std::optional<double> every_order;  ///< for all orders
};

/// The running sum that stopped growing; empty where none did.
struct StagnationSummary {
  std::optional<double> sum;
  std::optional<std::uint64_t> after;         ///< partial sums added by then
  std::optional<std::uint64_t> partial_sums;  ///< that there are
};

struct UnseenMass {
  std::optional<double> probability;  ///< that a sample gives a result not seen yet; empty for samples in bins
};

/// Do two runs give the same bits?
struct SameBits {
  std::optional<double> probability;
  std::optional<double> low;  ///< lower end of its interval
  std::optional<double> high;
  std::optional<std::uint64_t> runs_to_differ;
};

/// Kendall taus of arrival orders.
struct ArrivalTaus {
  std::uint64_t partial_sums = 0;
  std::uint64_t draws = 0;
  double tau_to_launch = 0;
  std::optional<double> tau_to_launch_standard_error;
  std::optional<double> tau_between;
  std::optional<double> tau_between_standard_error;
};

}  // namespace orderlab
