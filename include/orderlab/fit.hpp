// Arrival models fitted to recorded arrival orders, judged on recorded orders that the fit did not see, and what both
// do to sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/arrival.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab {

/// What a fit compares: mean Kendall tau to launch, mean Kendall tau between runs, and the mean over the runs of these
/// quantiles (inverse ECDF) of the displacements: position of arrival - launch index. Last, the mean |displacement| of
/// the first and of the last quarter launched: sums change where a power of two is passed, so it matters where along
/// the grid orders differ.
inline constexpr std::array<double, 4> kDisplacementLevels{0.05, 0.25, 0.75, 0.95};
inline constexpr std::array<std::string_view, 8> kFeatureNames{
    "tau_to_launch",   "tau_between",     "displacement_5",     "displacement_25",
    "displacement_75", "displacement_95", "displacement_early", "displacement_late"};
inline constexpr std::size_t kTaus = 2;  ///< features in front of the displacements
inline constexpr std::size_t kFeatures = kFeatureNames.size();
using Features = std::array<double, kFeatures>;

/// The difference in each feature that is accepted: 0.01 of a tau, a tenth of a displacement but at least one position.
Features feature_tolerances(const Features& recorded);

/// Root of the mean square of the differences in units of what is accepted; 1 is at the limit.
double feature_distance(const Features& fitted, const Features& recorded);

/// Which of the usable rows (from 1) are left out of the fit.
enum class HeldOut : std::uint8_t { even, odd };

struct FitOptions {
  std::uint64_t seed = 1;
  HeldOut held_out = HeldOut::even;
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

/// A fitted parameter. Error and 95 % interval are empty where the features do not tell it.
struct FittedParameter {
  std::string_view name;
  double value = 0;
  std::optional<double> error = {};
  std::optional<double> low = {};
  std::optional<double> high = {};
};

/// One feature on the rows held out.
struct FeatureMatch {
  double recorded = 0;
  double low = 0;  ///< bootstrap 95 % interval of `recorded`
  double high = 0;
  double fitted = 0;
  bool accepted = false;  ///< within feature_tolerances, or a displacement inside the interval
};

struct FittedModel {
  std::string arrival;  ///< pastes back as --arrival; everything below is of exactly this model
  ArrivalCall call;
  std::vector<FittedParameter> parameters;
  double fitted_distance = 0;    ///< feature_distance to the rows of the fit
  double held_out_distance = 0;  ///< to those held out
  std::array<FeatureMatch, kFeatures> matches;

  bool accepted() const;
};

struct ArrivalFit {
  std::size_t length = 0;  ///< m, of every row
  std::vector<OutlierRow> outliers;
  std::vector<std::size_t> fitted_rows;
  std::vector<std::size_t> held_out_rows;
  Features recorded{};  ///< of the fitted rows
  std::vector<FittedModel> models;
  bool partial = false;  ///< stopped: models are missing

  /// The accepted model nearest to the rows held out, or the nearest one if none is accepted; null without any.
  const FittedModel* best() const;
};

/// Fits every model that has a family (fit/families.hpp) to a recording of the arrival orders of m partial sums.
///
/// Method: simulated moments. Parameters minimise feature_distance between the fitted rows and simulated rows that are
/// drawn with the same random numbers for all parameters. Their errors come from a bootstrap over recorded and over
/// simulated rows, each replicate carried to the parameters by one Gauss-Newton step: a straight line along valleys
/// that bend. Measured on 20 simulated recordings of 40 rows, m = 500: for drift(30,90) 38 of 40 intervals hold the
/// truth, for slots(100,0.3,0.3) 52 of 60, r and stagger too high by a standard error on average.
/// Rows:    those whose tau is over 5 robust standard deviations off are outliers and take no part (none where over
///          half of the taus are equal); of the others every second one is held out.
/// Depends: on (recording, seed, held_out) alone, not on threads.
/// Errors:  input for fewer than 8 usable rows, rows of different length, below 16 or no permutation.
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

/// Sums inputs 0 .. inputs-1 of `distribution` (fp64) in every recorded row held out and in orders of the model.
///
/// Depends on (recording, fit, model, seed, distribution, inputs, samples) alone, not on threads.
/// Errors: input where a sum overflows.
Prediction predict_sums(const Rows& recording, const ArrivalFit& fit, const FittedModel& model,
                        const PredictOptions& options);

}  // namespace orderlab
