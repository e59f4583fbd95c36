#include "fit/family_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/errors.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr int kDigits = 4;    // of a parameter: more than the errors leave meaning to
constexpr int kPolishes = 4;  // Gauss-Newton steps that end a search

// Beyond these evaluations for every parameter a search is not getting anywhere: on recorded orders it takes half of
// them.
std::uint64_t search_evaluations(const ArrivalFamily& family) { return 150 * family.parameters.size(); }

}  // namespace

FamilySearch::FamilySearch(const ArrivalFamily& family, const RecordedFeatures& rows, Simulations& simulations)
    : coordinates_(family, simulations.length()), rows_(rows), recorded_(rows.mean()), simulations_(simulations) {}

std::uint64_t FamilySearch::most_evaluations(const ArrivalFamily& family, std::size_t m) {
  constexpr std::uint64_t kOvershoot = 1;  // a simplex ends with a whole step
  const std::size_t parameters = family.parameters.size();
  const std::uint64_t sloped = 1 + 2 * parameters;  // a point and the slopes there
  return family.starts(1, m).size() + search_evaluations(family) + (kOvershoot + parameters) +
         kPolishes * (sloped + 1) + sloped;
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

// Valleys end in different places (three descents missed the lowest one of 1 simulated recording in 10): the nearest
// starts all descend a little, and the one that came lowest goes on. A simplex that has collapsed in a valley is opened
// again, to the other side, for as long as that helps. Empty when stopped.
std::optional<std::vector<double>> FamilySearch::nearest() {
  constexpr std::size_t kDescents = 6;
  constexpr double kHelped = 0.98;  // a smaller gain is within what the errors leave open
  const std::size_t most = search_evaluations(coordinates_.family());
  left_ = most;
  std::vector<Minimum> starts = evaluated_starts();
  std::optional<Minimum> best;
  for (std::size_t i = 0; i < std::min(kDescents, starts.size()); ++i) {
    const auto found = descend(starts[i].point, {.evaluations = most / (2 * kDescents)});
    if (!found) return std::nullopt;
    if (!best || found->value < best->value) best = found;
  }
  MinimizeLimits limits;
  for (bool helped = best.has_value(); helped && left_ > 0; limits.step = -limits.step) {
    limits.evaluations = left_;
    auto found = descend(best->point, limits);
    if (!found) return std::nullopt;
    helped = found->value < kHelped * best->value;
    best = std::move(found);
  }
  if (!best) return std::nullopt;
  return polished({coordinates_.clamped(best->point), best->value});
}

// Gauss-Newton steps for as long as they help: a simplex stops where a valley is flat next to its roughness, short of
// the bottom that the errors are about. Empty when stopped.
std::optional<std::vector<double>> FamilySearch::polished(Minimum from) {
  constexpr double kLongest = 0.3;  // of a step in any coordinate: farther the slopes mean nothing
  for (int step = 0; step < kPolishes; ++step) {
    const std::vector<Features> units = simulations_.to_fit(coordinates_.call(from.point));
    const auto slopes = slopes_at(from.point);
    if (units.empty() || !slopes) return std::nullopt;
    const auto matrix = gauss_newton(*slopes, feature_tolerances(recorded_));
    if (!matrix) break;
    const Features simulated = mean_of(units);
    std::vector<double> to = from.point;
    for (std::size_t i = 0; i < to.size(); ++i) {
      double change = 0;
      for (std::size_t f = 0; f < kFeatures; ++f) change += (*matrix)[i][f] * (recorded_[f] - simulated[f]);
      to[i] += std::clamp(change, -kLongest, kLongest);
    }
    to = coordinates_.clamped(to);
    const std::optional<double> value = distance(to);
    if (!value) return std::nullopt;
    if (!(*value < from.value)) break;
    from = {to, *value};
  }
  return from.point;
}

// The family's starts, nearest first. Empty when stopped.
std::vector<Minimum> FamilySearch::evaluated_starts() {
  constexpr double kNormalWidth = 2 * 1.6449;  // from 5 % to 95 % of a normal distribution, in standard deviations
  const double spread = std::max(0.5, (recorded_[5] - recorded_[2]) / kNormalWidth);
  std::vector<Minimum> starts;
  for (const std::vector<double>& values : coordinates_.family().starts(spread, simulations_.length())) {
    const std::vector<double> point = coordinates_.from_values(values);
    const std::optional<double> value = distance(point);
    if (!value) return {};
    starts.push_back({point, *value});
  }
  std::stable_sort(starts.begin(), starts.end(), [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
  return starts;
}

std::optional<Minimum> FamilySearch::descend(const std::vector<double>& from, const MinimizeLimits& limits) {
  const auto counted = [this](std::span<const double> point) {
    left_ -= std::min<std::size_t>(left_, 1);
    return distance(point);
  };
  return minimize(counted, from, limits);
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
