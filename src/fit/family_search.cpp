#include "fit/family_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/errors.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr int kDigits = 4;  // of a parameter: more than the errors leave meaning to

// Beyond these evaluations for every parameter a search is not getting anywhere: most take a third of them.
std::uint64_t search_evaluations(const ArrivalFamily& family) { return 150 * family.parameters.size(); }

}  // namespace

FamilySearch::FamilySearch(const ArrivalFamily& family, const RecordedFeatures& rows, Simulations& simulations)
    : coordinates_(family, simulations.length()), rows_(rows), recorded_(rows.mean()), simulations_(simulations) {}

std::uint64_t FamilySearch::most_evaluations(const ArrivalFamily& family, std::size_t m) {
  constexpr std::uint64_t kOvershoot = 1;  // a simplex ends with a whole step
  const std::size_t parameters = family.parameters.size();
  const std::uint64_t described = 1 + 2 * parameters;  // the model itself and its slopes
  return family.starts(1, m).size() + search_evaluations(family) + (kOvershoot + parameters) + described;
}

std::optional<FittedModel> FamilySearch::fitted(std::uint64_t seed) {
  const auto point = nearest();
  if (!point) return std::nullopt;
  FittedModel model;
  model.call = coordinates_.call(*point, kDigits);
  model.arrival = to_string(model.call);
  const std::vector<Features> units = simulations_.to_fit(model.call);
  if (units.empty()) return std::nullopt;
  model.fitted_distance = feature_distance(mean_of(units), recorded_);
  const auto slopes = slopes_at(*point);
  if (!slopes) return std::nullopt;
  const auto matrix = gauss_newton(*slopes, feature_tolerances(recorded_));
  std::vector<std::vector<double>> deviations(point->size());
  if (matrix) deviations = bootstrap_deviations(rows_, units, *matrix, seed);
  for (std::size_t i = 0; i < point->size(); ++i)
    model.parameters.push_back(parameter(model.call, *point, i, deviations[i]));
  return model;
}

// A simplex that has collapsed in a valley is opened again, to the other side, for as long as that helps.
std::optional<std::vector<double>> FamilySearch::nearest() {
  constexpr double kHelped = 0.98;  // a smaller gain is within what the errors leave open
  std::optional<Minimum> best = best_start();
  if (!best) return std::nullopt;
  std::size_t left = search_evaluations(coordinates_.family());
  MinimizeLimits limits;
  const auto counted = [&](std::span<const double> point) {
    left -= std::min<std::size_t>(left, 1);
    return distance(point);
  };
  for (bool helped = true; helped && left > 0;) {
    limits.evaluations = left;
    auto found = minimize(counted, best->point, limits);
    if (!found) return std::nullopt;
    helped = found->value < kHelped * best->value;
    best = std::move(found);
    limits.step = -limits.step;
  }
  return coordinates_.clamped(best->point);
}

std::optional<Minimum> FamilySearch::best_start() {
  constexpr double kNormalWidth = 2 * 1.6449;  // from 5 % to 95 % of a normal distribution, in standard deviations
  const double spread = std::max(0.5, (recorded_[5] - recorded_[2]) / kNormalWidth);
  std::optional<Minimum> best;
  for (const std::vector<double>& values : coordinates_.family().starts(spread, simulations_.length())) {
    const std::vector<double> point = coordinates_.from_values(values);
    const std::optional<double> value = distance(point);
    if (!value) return std::nullopt;
    if (!best || *value < best->value) best = {point, *value};
  }
  return best;
}

// From the recorded features; rises beyond the limits, so that the search comes back. Empty when stopped.
std::optional<double> FamilySearch::distance(std::span<const double> point) {
  const std::vector<Features> units = simulations_.to_fit(coordinates_.call(point));
  if (units.empty()) return std::nullopt;
  const std::vector<double> inside = coordinates_.clamped(point);
  double outside = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) outside += std::fabs(point[i] - inside[i]);
  return feature_distance(mean_of(units), recorded_) + outside;
}

// Central differences; with equal random numbers for both ends a step far above the roughness will do. A whole number
// moves by one at least. Empty when stopped.
std::optional<std::vector<Features>> FamilySearch::slopes_at(const std::vector<double>& point) {
  constexpr double kStep = 0.05;
  std::vector<Features> slopes;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const bool whole = coordinates_.family().parameters[i].whole;
    const double step = whole ? std::max(kStep, 1 / coordinates_.value(i, point[i])) : kStep;
    std::vector<double> ends[2];
    Features means[2];
    for (const int side : {0, 1}) {
      ends[side] = point;
      ends[side][i] += side == 0 ? -step : step;
      ends[side] = coordinates_.clamped(ends[side]);
      const std::vector<Features> units = simulations_.to_fit(coordinates_.call(ends[side]));
      if (units.empty()) return std::nullopt;
      means[side] = mean_of(units);
    }
    Features& slope = slopes.emplace_back();
    for (std::size_t f = 0; f < kFeatures; ++f) slope[f] = (means[1][f] - means[0][f]) / (ends[1][i] - ends[0][i]);
  }
  return slopes;
}

FittedParameter FamilySearch::parameter(const ArrivalCall& call, const std::vector<double>& point, std::size_t i,
                                        const std::vector<double>& deviations) const {
  const FreeParameter& free = coordinates_.family().parameters[i];
  const double value = free.whole ? static_cast<double>(call.arguments->count(i)) : call.arguments->real(i);
  if (deviations.empty()) return {free.name, value};
  double squares = 0;
  for (const double d : deviations) squares += d * d;
  const double sd = std::sqrt(squares / static_cast<double>(deviations.size()));
  const Interval middle = middle_95(deviations);
  const auto end = [&](double deviation) {
    std::vector<double> moved = point;
    moved[i] += deviation;
    return coordinates_.value(i, coordinates_.clamped(moved)[i]);
  };
  return {free.name, value, free.logarithmic ? sd * value : sd, end(middle.low), end(middle.high)};
}

}  // namespace orderlab
