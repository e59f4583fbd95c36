// Moments and quantiles of weighted values, from exact sums and exact counts.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/record.hpp"

namespace orderlab {

/// A value (ascending in lists) and how often it occurred.
struct Weighted {
  double value;
  std::uint64_t count;
};

/// Quantiles that are reported, and the confidence of their intervals.
inline constexpr double kQuantiles[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
inline constexpr double kQuantileConfidence = 0.95;

/// Ranks (from 1) of the order statistics that hold the p-quantile with at least `confidence`, whatever the
/// distribution; a side that no order statistic can bound is 0 or N + 1. Source: [David2003], binomial.
struct RankInterval {
  std::uint64_t low;
  std::uint64_t high;
};
RankInterval quantile_ranks(std::uint64_t n, double p, double confidence);

/// Smallest value with at least p N values at or below it (the inverse ECDF); `values` ascending, not empty.
double quantile(std::span<const Weighted> values, double p);

/// Value of rank `rank` (from 1).
double value_of_rank(std::span<const Weighted> values, std::uint64_t rank);

/// Mean of finite values: their exact weighted sum, rounded, divided by N.
double mean(std::span<const Weighted> values);

/// Sample standard deviation (N - 1); empty for fewer than two values.
std::optional<double> standard_deviation(std::span<const Weighted> values, double mean);

/// The same from exact sums of d and d^2 of N values.
std::optional<double> standard_deviation(const ExactSum& sum, const ExactSum& sum_of_squares, std::uint64_t n);

/// What reports say of a distribution; empty where there is nothing to say.
struct Summary {
  struct Quantile {
    std::optional<double> value;
    std::optional<double> low;  ///< of its interval
    std::optional<double> high;
  };
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> mean;
  std::optional<double> sd;
  std::array<Quantile, std::size(kQuantiles)> quantiles = {};  ///< those of kQuantiles
};

/// Of `values`, ascending; all empty when there are none.
Summary summary_of(std::span<const Weighted> values);

/// min, max, mean, sd, max_abs and quantiles; null where empty.
Record record_of(const Summary& summary);

/// Differences to a fixed order, summed up.
struct VsSummary {
  std::optional<double> offset;
  std::optional<double> spread;
  std::optional<double> max_abs;
};

/// baseline, baseline_bits (of the result format), offset, spread, max_abs.
Record vs_record(const std::string& baseline, Format result, std::uint64_t baseline_bits, const VsSummary& summary);

}  // namespace orderlab
