// Arrival models fitted to recorded arrival orders, judged on recorded orders that the fit did not see, and what both
// do to sums.
#pragma once

#include <array>
#include <bitset>
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

/// What a feature is, which decides what difference is accepted and how it is printed.
enum class FeatureKind : std::uint8_t {
  tau,           ///< a mean Kendall tau
  displacement,  ///< positions: position of arrival - launch index
  tau_sd,        ///< standard deviation of a Kendall tau
  correlation,   ///< a Pearson correlation
};

struct FeatureInfo {
  std::string_view name;
  FeatureKind kind;
};

/// What a fit compares, in this order: mean Kendall tau to launch and mean Kendall tau between runs; the means over the
/// runs of these quantiles (inverse ECDF) of the displacements; the mean |displacement| of the first and of the last
/// quarter launched, since rounding changes where the sum passes a power of two; the standard deviation over the
/// runs of their tau to launch, the variation between launches; the mean correlation of the displacements of the same
/// thread block in two runs, which says whether the same ones are delayed in every run; and the mean correlation of the
/// displacements of thread blocks launched this many apart, which says whether neighbours are delayed together.
inline constexpr std::array<double, 4> kDisplacementLevels{0.05, 0.25, 0.75, 0.95};
inline constexpr std::array<std::size_t, 4> kNeighbourLags{1, 8, 40, 80};
inline constexpr std::array<FeatureInfo, 14> kFeatureList{{{"tau_to_launch", FeatureKind::tau},
                                                           {"tau_between", FeatureKind::tau},
                                                           {"displacement_5", FeatureKind::displacement},
                                                           {"displacement_25", FeatureKind::displacement},
                                                           {"displacement_75", FeatureKind::displacement},
                                                           {"displacement_95", FeatureKind::displacement},
                                                           {"displacement_early", FeatureKind::displacement},
                                                           {"displacement_late", FeatureKind::displacement},
                                                           {"tau_sd", FeatureKind::tau_sd},
                                                           {"displacement_between", FeatureKind::correlation},
                                                           {"neighbours_1", FeatureKind::correlation},
                                                           {"neighbours_8", FeatureKind::correlation},
                                                           {"neighbours_40", FeatureKind::correlation},
                                                           {"neighbours_80", FeatureKind::correlation}}};
inline constexpr std::size_t kFeatures = kFeatureList.size();

using Features = std::array<double, kFeatures>;

/// A choice of features: bit f is feature f of kFeatureList.
using FeatureSet = std::bitset<kFeatures>;

/// The first `count` features.
inline FeatureSet first_features(std::size_t count) { return FeatureSet((1ULL << count) - 1); }

/// Number of features defined for m thread blocks, the first of kFeatureList: a lag L needs m >= 4 L.
std::size_t feature_count(std::size_t m);

/// The difference in each feature that is accepted: 0.01 of a tau, a tenth of a displacement but at least one position,
/// a tenth of a standard deviation but at least 0.001, 0.05 of a correlation.
Features feature_tolerances(const Features& recorded);

/// Root of the mean square of the chosen differences, each in units of its scale; at least one is chosen.
double feature_distance(const Features& fitted, const Features& recorded, const Features& scales,
                        const FeatureSet& chosen);

/// Which of the usable rows (from 1) are left out of the fit.
enum class HeldOut : std::uint8_t { even, odd };

constexpr std::string_view name_of(HeldOut held_out) { return held_out == HeldOut::even ? "even" : "odd"; }

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

/// A fitted parameter. Error and 95 % interval are empty where the features do not determine it, or it is at its limit.
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
  double low = 0;  ///< interval of fitted values consistent with `recorded`
  double high = 0;
  double fitted = 0;
  bool accepted = false;  ///< within feature_tolerances or from low to high
};

struct FittedModel {
  std::string arrival;  ///< pastes back as --arrival; everything below is of exactly this model
  ArrivalCall call;
  std::vector<FittedParameter> parameters;
  double fitted_distance = 0;         ///< to the rows of the fit, over the features that it was fitted to
  double held_out_distance = 0;       ///< to those held out, over all features
  bool as_near = false;               ///< the rows held out do not show that another candidate is nearer
  std::vector<FeatureMatch> matches;  ///< feature_count(m) of them

  bool accepted() const;
};

struct ArrivalFit {
  std::size_t length = 0;  ///< m, of every row
  std::vector<OutlierRow> outliers;
  std::vector<std::size_t> fitted_rows;
  std::vector<std::size_t> held_out_rows;
  Features recorded{};  ///< features of the fitted rows
  std::vector<FittedModel> models;
  bool partial = false;  ///< stopped: models are missing

  /// The best of the accepted models, or of all if none is accepted: among those that are as near to the rows held out
  /// as the nearest, the one with the fewest parameters; of several such, the nearest. Null without any.
  const FittedModel* best() const;
};

/// Fits every model that has a family (fit/families.hpp) to a recording of the arrival orders of m partial sums.
///
/// Fitted:  each family to the features that its parameters move: a parameter that makes up for a feature which the
///          model cannot have is biased (drift's first by 14 % on the recordings of [Shanmugavelu2024]). All features
///          judge all models. steady is fitted around drift.
/// Passes:  `passes` takes part only where the fitted rows show passes that do not mix. Its g is read off them: the
///          least above 1 such that no thread block of a pass of g arrives before one of an earlier pass in any row.
///          The orders of a single pass say nothing of g.
/// Method: simulated moments. Parameters minimise feature_distance of the fitted features between the fitted rows and
/// simulated rows. A simplex finds the neighbourhood; then features are simulated at points around it with random
/// numbers of their own. A quadratic surface through them gives the estimate, and its errors from resampled rows and
/// resampled points, with little noise from the simulation (fit/response_surface.hpp). Intervals are
/// Student's for the number of rows. Measured by tests/statistics/fit_test on 25 recordings each of m = 100 with 5, 10,
/// 20 and 50 fitted rows: 92, 95, 93 and 98 % of the intervals of drift(3,12) and 100, 96, 96 and 82 % of those of
/// slots(20,0.3,0.3) hold the truth; those of slots hold or miss it together, as its parameters compensate each other.
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
