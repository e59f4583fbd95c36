// Features of arrival orders, recorded or simulated, and their resampled means.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orderlab/fit.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

using ArrivalOrder = std::vector<std::uint32_t>;

/// Quantiles of position - launch index of one order, at kDisplacementLevels.
std::array<double, kDisplacementLevels.size()> displacement_quantiles(std::span<const std::uint32_t> order);

/// Correlation of the displacements of thread blocks launched `lag` apart; 0 where displacements do not vary.
double neighbour_correlation(std::span<const std::uint32_t> order, std::size_t lag);

/// Correlation of the displacements of the same thread block in two orders of one length; 0 where they do not vary.
double between_correlation(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);

/// Thread blocks in a pass of the grid: the least g > 1 such that in all `rows` the blocks before each multiple of g
/// arrive before those after it; the length of a row where there is no less, or
/// where all rows are launch order. One row or more, all permutations of one
/// length.
std::size_t pass_length(const std::vector<const ArrivalOrder*>& rows);

/// Features of recorded rows, resampled row by row.
class RecordedFeatures {
 public:
  /// Each row is compared with this many rows after it (cyclically): all pairs of up to twice that and one.
  static constexpr std::size_t kNeighbours = 24;

  /// Shape: two rows or more, all of one length >= 2.
  RecordedFeatures(const std::vector<const ArrivalOrder*>& rows, const SampleOptions& how);

  std::size_t size() const { return rows_; }

  /// Features where row i counts weights[i] times. A pair counts by the product of its weights, in what is
  /// compared between runs as in the standard deviation of tau; where no pair counts, they are those of all pairs.
  Features mean(std::span<const double> weights) const;
  Features mean() const;

 private:
  struct Pair {
    std::size_t first;
    std::size_t second;
    double tau;
    double correlation;
  };
  double tau_variance(std::span<const double> weights) const;

  std::size_t rows_;
  std::vector<Features> of_row_;  ///< features between runs, and tau_sd, are left 0
  std::vector<Pair> pairs_;
  double all_tau_ = 0;
  double all_correlation_ = 0;
};

/// Features of simulated orders: unit i is those of orders 2 i and 2 i + 1 together, so units are independent. In place
/// of the standard deviation of tau a unit has the unbiased estimate of its square that two orders give.
///
/// Draws from (seed, streams::kFit, order) alone, in a unit of a steady model by a key of the unit's own; fewer units
/// when stopped.
std::vector<Features> simulate_units(const ArrivalCall& call, std::size_t m, std::uint64_t seed,
                                     std::uint64_t first_unit, std::uint64_t units, const SampleOptions& how);

/// Features of units together, unit i counted weights[i] times.
Features mean_of(std::span<const Features> units, std::span<const double> weights);
Features mean_of(std::span<const Features> units);

}  // namespace orderlab
