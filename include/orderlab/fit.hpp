// Arrival models fitted to recorded arrival orders, judged on recorded orders that the fit did not see, and what both
// do to sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/arrival.hpp"
#include "orderlab/arrival_features.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab {

struct FitOptions {
  std::uint64_t seed = 1;
  std::uint64_t folds = 5;  ///< groups of successive runs, each held out once; fewer where one would have one run
  FirstWave wave = {};
  int threads = 0;  ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< called from one thread at a time
};

/// A row unlike the others, such as a cold start.
struct OutlierRow {
  std::size_t row = 0;  ///< from 0
  double tau = 0;       ///< to launch
  double z = 0;         ///< (tau - median) / (1.4826 median absolute deviation)
};

/// A fitted parameter. Error and 95 % interval are empty where the features do not determine it, or it is at its limit.
struct FittedParameter {
  std::string_view name;
  double value = 0;
  std::optional<double> error = {};
  std::optional<double> low = {};
  std::optional<double> high = {};
};

/// One feature of the recording and of a model.
struct FeatureMatch {
  std::size_t feature = 0;  ///< its place in kArrivalFeatures
  double recorded = 0;
  double low = 0;  ///< interval of fitted values consistent with `recorded`
  double high = 0;
  double fitted = 0;
  bool accepted = false;  ///< within feature_tolerance or from low to high
};

struct FittedModel {
  std::string arrival;  ///< pastes back as --arrival; features are of exactly this model
  ArrivalCall call;
  std::vector<FittedParameter> parameters;
  double misfit = 0;                  ///< root mean square difference from the recording, in its standard errors
  double held_out_misfit = 0;         ///< root mean square of fold_misfits
  std::vector<double> fold_misfits;   ///< from each group of runs, fitted to the others, in standard errors of a group
  bool as_near = false;               ///< runs held out do not show that another candidate is nearer
  std::vector<FeatureMatch> matches;  ///< of the features that the recording has

  bool accepted() const;
};

struct ArrivalFit {
  std::size_t length = 0;  ///< m, of every row
  std::vector<OutlierRow> outliers;
  std::vector<std::size_t> rows;  ///< that models are fitted to: all others, from 0
  std::uint64_t folds = 0;        ///< that they were held out in
  RecordedArrivals recorded;      ///< of these rows
  double floor = 0;               ///< held_out_misfit if the runs that are not held out were the model
  std::vector<FittedModel> models;
  bool partial = false;  ///< stopped: models are missing

  /// The best of the accepted models, or of all if none is accepted: among those that are as near to the runs held out
  /// as the nearest, the one with the fewest parameters; of several such, the nearest. Null without any.
  const FittedModel* best() const;
};

/// The difference that is accepted in a feature of this kind and recorded value: 0.01 of a tau, a tenth of a
/// displacement but at least one ticket, a tenth of tau_sd but at least 0.001, 0.05 of a correlation, 0.02 of a share.
double feature_tolerance(FeatureKind kind, double recorded);

/// Fits every model that has a family (fit/families.hpp) to a recording of the arrival orders of m partial sums.
///
/// Fitted:  each family to all features of kArrivalFeatures that the recording has. steady is fitted around drift;
///          sm_queues has the multiprocessors of options.wave, and takes part from four thread blocks on each.
/// Passes:  `passes` takes part only where the rows show passes that do not mix. Its g is read off them: the
///          least above 1 such that no thread block of a pass of g arrives before one of an earlier pass in any row.
///          The orders of a single pass say nothing of g.
/// Method:  simulated moments [McFadden1989]. Parameters minimise the mean square difference of recorded and simulated
///          features, each in units of its standard error over runs (recorded_arrivals). A simplex finds the
///          neighbourhood; then recordings of as many runs are simulated at points around it. A quadratic surface
///          through their features gives the estimate with little noise from the simulation
///          (fit/response_surface.hpp).
/// Errors:  the larger one of two: how far the estimate moves in resampled recordings, and in recordings simulated from
///          the model itself. The latter has what all runs of one recording share, which no resampling shows. Measured
///          coverage: src/docs/explanation/arrivals.md.
/// Ranking: the runs are cut into groups of successive ones. Each group is held out once: the model is fitted to the
///          others, on the same surface, and its misfit to the group is taken.
/// Rows:    those whose tau is over 5 robust standard deviations off are outliers and take no part (none where over
///          half of the taus are equal).
/// Depends: on (recording, seed, folds, wave) alone, not on threads.
/// Errors:  input for fewer than 8 usable rows, rows of different length, below kLeastFeatureBlocks or no permutation.
ArrivalFit fit_arrivals(const Rows& recording, const FitOptions& options);

/// How predict_sums draws.
struct PredictOptions {
  std::string distribution = "uniform(0,10)";
  std::uint64_t inputs = 20;
  std::uint64_t samples = 400;  ///< drawn orders of each input
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// One input, summed in recorded and in fitted orders.
struct InputPrediction {
  double recorded_sd = 0;
  double fitted_sd = 0;
  std::uint64_t recorded_distinct = 0;
  std::uint64_t fitted_distinct = 0;
  double distance = 0;  ///< Kolmogorov-Smirnov: largest difference of the two ECDFs
  double p = 1;         ///< its p-value by permutation
};

struct Prediction {
  std::vector<InputPrediction> inputs;
  std::optional<double> ratio;  ///< fitted over recorded root mean square sd; empty where no recorded sum varies
  double low = 0;               ///< bootstrap 95 % interval over inputs, recorded rows and drawn orders
  double high = 0;
  bool partial = false;
};

/// The order that predictions sum by, and its number of terms for m partial sums.
inline constexpr std::string_view kPredictedOrder = "spa(64,2)";
std::uint64_t predicted_terms(std::size_t m);

/// Sums inputs 0 .. inputs-1 of `distribution` (fp64) in every row of the fit and in orders of the model.
///
/// Depends on (recording, fit, model, seed, distribution, inputs, samples) alone, not on threads.
/// Errors: input where a sum overflows.
Prediction predict_sums(const Rows& recording, const ArrivalFit& fit, const FittedModel& model,
                        const PredictOptions& options);

}  // namespace orderlab
