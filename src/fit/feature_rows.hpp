// Runs as the features of arrival orders need them, so that the features of resampled runs are cheap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/arrival_features.hpp"

namespace orderlab {

class FeatureRows {
 public:
  /// Without taus, correlations() alone may be asked for.
  enum class Taus : std::uint8_t { left_out, computed };

  /// Shape: as arrival_features. Stopped where a stop was requested.
  FeatureRows(ArrivalRows rows, const FeatureOptions& options, Taus taus = Taus::computed);

  std::size_t runs() const { return runs_; }

  /// The features where run i counts weights[i] times; that of successive runs, with the one after it, the same.
  ArrivalFeatures weighted(std::span<const double> weights) const;
  ArrivalFeatures all() const { return weighted(std::vector<double>(runs_, 1.0)); }

  /// Correlations at the lags 1 to `most` of all runs.
  std::vector<double> correlations(std::size_t most) const;

 private:
  /// Of each thread block over the runs, and what follows for the parts of the grid.
  struct Blocks {
    std::vector<double> mean;
    std::vector<double> variance;  ///< mean squared deviation
    std::vector<double> inverse;   ///< 1 / s of its decile; 0 where nothing varies
  };
  Blocks blocks_of(std::span<const double> weights, double weight) const;
  void set_spreads(const Blocks& blocks, ArrivalFeatures& features) const;
  void set_quantiles(std::span<const double> weights, double weight, ArrivalFeatures& features) const;
  void set_correlations(const Blocks& blocks, std::span<const double> weights, double weight,
                        ArrivalFeatures& features) const;
  /// `repeats`: 1 / n for n runs that count once. Empty where a part of the grid does not vary.
  std::optional<double> persistent_share(const Blocks& blocks, double repeats) const;
  std::vector<double> standardised_run(const Blocks& blocks, std::size_t run) const;
  std::span<const std::int32_t> displacements_of(std::size_t run) const {
    return std::span(displacements_).subspan(run * blocks_, blocks_);
  }

  std::size_t runs_;
  std::size_t blocks_;  ///< thread blocks of a run
  FirstWave wave_;
  std::vector<std::int32_t> displacements_;  ///< run by run
  std::vector<double> tau_;                  ///< to launch order
  std::vector<double> tau_next_;             ///< to the next run
  std::vector<double> adjacent_;             ///< share of adjacent tickets
};

/// What recorded_arrivals() of these runs gives.
RecordedArrivals recorded_arrivals(const FeatureRows& all, std::uint64_t seed, const FeatureOptions& options);

}  // namespace orderlab
