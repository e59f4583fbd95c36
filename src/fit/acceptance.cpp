#include "fit/acceptance.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

#include "core/float_environment.hpp"
#include "fit/bootstrap.hpp"
#include "metrics/moments.hpp"

namespace orderlab {

namespace {

/// Residuals of one kind of recordings.
struct ResidualSpread {
  Features errors{};     ///< root mean squares
  double outermost = 0;  ///< 95 % quantile of the largest residual among the chosen features, in its error
};

ResidualSpread spread_of(std::span<const Features> residuals, const FeatureSet& chosen) {
  ResidualSpread spread;
  if (residuals.empty()) return spread;  // nothing determines the parameters
  for (const Features& residual : residuals)
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) spread.errors[f] += residual[f] * residual[f];
  for (double& error : spread.errors) error = std::sqrt(error / static_cast<double>(residuals.size()));
  std::vector<double> largest;
  for (const Features& residual : residuals) {
    double most = 0;
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
      if (chosen[f] && spread.errors[f] > 0) most = std::max(most, std::fabs(residual[f]) / spread.errors[f]);
    largest.push_back(most);
  }
  spread.outermost = quantile_95(std::move(largest));
  return spread;
}

double root_mean_square(std::span<const double> values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

double feature_tolerance(FeatureKind kind, double recorded) {
  const FloatEnvironment environment;
  switch (kind) {
    case FeatureKind::tau:
      return 0.01;
    case FeatureKind::tau_sd:
      return std::max(0.1 * recorded, 0.001);
    case FeatureKind::displacement:
      return std::max(0.1 * std::fabs(recorded), 1.0);
    case FeatureKind::correlation:
      return 0.05;
    case FeatureKind::share:
      return 0.02;
  }
  return 0;
}

bool FittedModel::accepted() const {
  const FloatEnvironment environment;
  return std::all_of(matches.begin(), matches.end(), [](const FeatureMatch& match) { return match.accepted; });
}

void judge(FoundModel& found, const RecordedRows& rows) {
  FittedModel& model = found.model;
  model.misfit = feature_distance(found.features, rows.mean, rows.scales, rows.defined);
  for (std::size_t k = 0; k < rows.folds.size(); ++k)
    model.fold_misfits.push_back(rows.misfit_to(rows.folds[k], found.fold_features[k]));
  model.held_out_misfit = root_mean_square(model.fold_misfits);

  const ResidualSpread resampled = spread_of(found.resampled, rows.defined);
  const ResidualSpread simulated = spread_of(found.simulated, rows.defined);
  const double outside = boost::math::cdf(complement(boost::math::normal(), resampled.outermost));
  const double student = student_quantile(rows.runs(), outside);
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) {
    if (!rows.defined[f]) continue;
    const double noise = simulated.errors[f] / std::sqrt(static_cast<double>(Simulations::kJudging));
    const double half_width = std::max(student * std::hypot(rows.widened * resampled.errors[f], noise),
                                       simulated.outermost * std::hypot(simulated.errors[f], noise));
    const double recorded = rows.mean[f];
    const double accepted = std::max(feature_tolerance(kArrivalFeatures[f].kind, recorded), half_width);
    model.matches.push_back({.feature = f,
                             .recorded = recorded,
                             .low = recorded - half_width,
                             .high = recorded + half_width,
                             .fitted = found.features[f],
                             .accepted = std::fabs(found.features[f] - recorded) <= accepted});
  }
}

void mark_as_near(std::span<FittedModel> models) {
  constexpr double kOutside = 0.025;
  const bool any = std::any_of(models.begin(), models.end(), [](const FittedModel& m) { return m.accepted(); });
  const auto candidate = [&](const FittedModel& model) { return !any || model.accepted(); };
  const FittedModel* nearest = nullptr;
  for (const FittedModel& model : models)
    if (candidate(model) && (nearest == nullptr || model.held_out_misfit < nearest->held_out_misfit)) nearest = &model;
  if (nearest == nullptr) return;
  const std::vector<double> least = nearest->fold_misfits;
  for (FittedModel& model : models) {
    std::vector<double> farther;
    for (std::size_t k = 0; k < least.size(); ++k)
      farther.push_back(model.fold_misfits[k] * model.fold_misfits[k] - least[k] * least[k]);
    const Moments moments(farther);
    const double error = std::sqrt(moments.variance() / static_cast<double>(farther.size()));
    model.as_near = candidate(model) && moments.mean <= student_quantile(farther.size(), kOutside) * error;
  }
}

}  // namespace orderlab
