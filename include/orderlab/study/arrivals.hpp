// Which arrival model has the features of a recording? Recorded arrival orders beside orders drawn from models.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/arrival_features.hpp"
#include "orderlab/fit.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// Recorded orders, or a model to draw from: one of the two.
struct ArrivalSource {
  std::string name;  ///< as it was given
  std::shared_ptr<const Rows> recording = {};
  std::optional<ArrivalCall> model = {};
  std::optional<FirstWave> first_wave = {};  ///< on the GPU, where the recording says it
};

struct ArrivalsRequest {
  std::optional<std::uint64_t> blocks = {};  ///< thread blocks of a launch; empty: of the first source that knows them
  std::uint64_t draws = 60;                  ///< orders drawn from each model
  std::uint64_t seed = 1;                    ///< seed of drawn orders, and of resampling
  /// Multiprocessors, and the thread blocks that each of them runs at first; empty: of the first source that says them,
  /// else of FirstWave{}.
  std::optional<std::uint64_t> sms = {};
  std::optional<std::uint64_t> resident = {};
  int threads = 0;  ///< 0: all; findings never depend on it
};

/// Who says a number.
enum class SaidBy : std::uint8_t {
  request,
  recording,
  nobody,  ///< a default
};

/// One source and its features.
struct ArrivalsColumn {
  std::string name;
  std::string arrival;  ///< canonical text of a model; empty for a recording
  std::string hash;     ///< of a recording; empty for a model
  std::uint64_t runs = 0;
  std::optional<FirstWave> first_wave;  ///< on the GPU, where the recording says it
  std::vector<OutlierRow> outliers;     ///< rows of a recording that are left out
  ArrivalFeatures features;
  ArrivalFeatures differences;              ///< from the reference, in standard errors of the difference
  std::optional<double> misfit;             ///< their root mean square
  std::vector<double> correlations;         ///< at the lags 1, 2, ...
  std::vector<std::int64_t> displacements;  ///< of the thread blocks of the first wave, in the first run

  bool recorded() const { return arrival.empty(); }
};

/// What the first recording says of all others.
struct ArrivalsReference {
  std::string name;
  ArrivalFeatures errors;
  std::uint64_t block_length = 0;      ///< runs in a block of the bootstrap
  std::uint64_t replicates = 0;        ///< resampled recordings
  std::optional<double> floor_median;  ///< median of their misfits; empty where no feature varies
  std::optional<double> floor_95;      ///< 95 % quantile of their misfits, likewise
  std::optional<double> halves;        ///< RecordedArrivals::halves
};

struct ArrivalsFinding {
  ArrivalsRequest request;  ///< `blocks`, `sms` and `resident` are set
  SaidBy sms_by = SaidBy::request;
  SaidBy resident_by = SaidBy::request;
  std::string first_wave_of;  ///< the first recording that says its own; empty if none does
  std::vector<ArrivalsColumn> columns;
  std::optional<ArrivalsReference> reference;  ///< empty without a recording
  std::uint64_t sources = 0;

  bool partial() const { return columns.size() < sources; }
};

/// Features of every source, and the misfit of each to the first recording.
///
/// Rows of a recording whose tau to launch is an outlier, as for a fit, are left out.
/// Errors: usage for no source, one given twice, models without `blocks`; input for a recording of other orders, of
/// fewer than 8 usable rows (the first) or 2, of fewer than kLeastFeatureBlocks thread blocks, of a GPU that the
/// request could not have; what models refuse; unsupported for more memory than is free.
ArrivalsFinding arrivals(const std::vector<ArrivalSource>& sources, const ArrivalsRequest& request,
                         const Watch& watch = {});

/// Orders drawn from a model: order i is that of sample i of `sample` with this seed, where it is the first random
/// stage.
///
/// Shape: `blocks` as the model takes it. Stopped where the watch stops it.
std::vector<std::vector<std::uint32_t>> drawn_orders(const ArrivalCall& model, std::uint64_t blocks,
                                                     const ArrivalsRequest& request, const Watch& watch = {});

/// Thread blocks of the launches of these sources. Errors as arrivals.
std::uint64_t blocks_of(const std::vector<ArrivalSource>& sources, const ArrivalsRequest& request);

}  // namespace orderlab::study
