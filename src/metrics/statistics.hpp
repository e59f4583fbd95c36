// Moments and quantiles of distributions, from exact sums and exact counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "orderlab/distribution.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

/// The confidence of the intervals of quantiles.
inline constexpr double kQuantileConfidence = 0.95;

/// Ranks (from 1) of the order statistics that hold the p-quantile with at least `confidence`, whatever the
/// distribution; a side that no order statistic can bound is 0 or N + 1. Source: [David2003], binomial.
struct RankInterval {
  std::uint64_t low;
  std::uint64_t high;
};
RankInterval quantile_ranks(std::uint64_t n, double p, double confidence);

/// Samples: smallest value with at least p N values at or below it (the inverse ECDF); `values` ascending, not empty.
double quantile(std::span<const Weighted> values, double p);

/// The same of single values, ascending.
double quantile(std::span<const double> values, double p);

/// Samples: value of rank `rank` (from 1).
double value_of_rank(std::span<const Weighted> values, std::uint64_t rank);

/// Mean of finite values: their exact weighted sum, rounded, divided by the sum of the weights.
///
/// Error: of all orders a few 2^-53 of the largest magnitude, because probabilities are rounded.
double mean(const Distribution& values);

/// Standard deviation: of samples with N - 1, empty for fewer than two; of all orders that of the distribution.
std::optional<double> standard_deviation(const Distribution& values, double mean);

/// The same of samples from exact sums of d and d^2 of N values.
std::optional<double> standard_deviation(const ExactSum& sum, const ExactSum& sum_of_squares, std::uint64_t n);

/// All empty where there are no values. Of all orders quantiles are known: low = high = value.
Summary summary_of(const Distribution& values);

}  // namespace orderlab
