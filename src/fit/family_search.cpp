#include "fit/family_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr int kDigits = 4;          // in a parameter: more than the errors leave meaning to
constexpr int kSurfaces = 6;        // that end a search
constexpr std::size_t kPoints = 9;  // on a surface for each coefficient

// Beyond these evaluations for every parameter the simplex no longer helps: the surfaces take over long before.
std::uint64_t search_evaluations(const ArrivalFamily& family) { return 75 * family.parameters.size(); }

std::size_t surface_points(const ArrivalFamily& family) {
  return kPoints * ResponseSurface::coefficients(family.parameters.size());
}

constexpr double kReach = 1.5;  // a surface is used a little outside the points that it was fitted to

// Near the middle in every coordinate, or on the side where the parameter's limit lies within reach.
bool well_inside(const ResponseSurface::Point& x, const ResponseSurface::Box& box) {
  constexpr double kInside = 0.5;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool limited = x[i] < 0 ? box.low[i] > -kReach : box.high[i] < kReach;
    if (std::fabs(x[i]) > kInside && !limited) return false;
  }
  return true;
}

}  // namespace

FamilySearch::FamilySearch(const ArrivalFamily& family, const ResampledRows& rows, std::size_t pass,
                           Simulations& simulations)
    : coordinates_(family, simulations.length(), pass),
      fitted_(family.fitted & first_features(feature_count(simulations.length()))),
      rows_(rows),
      simulations_(simulations) {}

std::uint64_t FamilySearch::most_evaluations(const ArrivalFamily& family, std::size_t m) {
  constexpr std::uint64_t kOvershoot = 1;  // a simplex ends with a whole step
  const std::size_t parameters = family.parameters.size();
  if (parameters == 0) return 1;
  return family.starts(1, m).size() + search_evaluations(family) + (kOvershoot + parameters) +
         kSurfaces * surface_points(family) + 1;
}

std::optional<FoundModel> FamilySearch::found(std::uint64_t seed) {
  Refined best{{}, {}, std::vector<Features>(kReplicates)};
  if (!coordinates_.family().parameters.empty()) {
    const auto point = nearest();
    if (!point) return std::nullopt;
    auto refined_best = refined(*point, seed);
    if (!refined_best) return std::nullopt;
    best = *std::move(refined_best);
  }
  FoundModel found;
  found.model.call = coordinates_.call(best.point, kDigits);
  found.model.arrival = to_string(found.model.call);
  const std::vector<Features> units = simulations_.to_fit(found.model.call);
  if (units.empty()) return std::nullopt;
  found.model.fitted_distance = feature_distance(mean_of(units), rows_.mean, rows_.scales, fitted_);
  if (const auto given = coordinates_.given()) found.model.parameters.push_back(*given);
  for (std::size_t i = 0; i < best.point.size(); ++i)
    found.model.parameters.push_back(parameter(found.model.call, best, i));
  found.moved = std::move(best.moved);
  return found;
}

// Surfaces around the nearest point so far, as wide as its errors: each averages over many simulations, so that the
// last one gives the point and its errors with little of their noise, along valleys that bend. Empty when stopped.
std::optional<FamilySearch::Refined> FamilySearch::refined(const std::vector<double>& from, std::uint64_t seed) {
  constexpr double kFirstRadius = 0.3;
  constexpr double kErrors = 4;  // that a radius spans
  constexpr double kLeastRadius = 0.1;
  constexpr double kMostRadius = 0.7;
  const std::size_t p = from.size();
  Refined best{from, std::vector<std::optional<double>>(p), std::vector<Features>(kReplicates)};
  std::vector<double> radius(p, kFirstRadius);
  for (int s = 0; s < kSurfaces; ++s) {
    const auto around = explored(best.point, radius);
    if (!around) return std::nullopt;
    if (!around->surface) break;
    const ResponseSurface::Point x =
        around->surface->nearest(rows_.mean, rows_.scales, fitted_, around->box, around->from_coordinates(best.point));
    best = resampled(*around, x, seed);
    if (s > 0 && well_inside(x, around->box)) {
      best.point = coordinates_.clamped(around->coordinates(with_whole_numbers(*around, x)));
      return best;
    }
    for (std::size_t i = 0; i < p; ++i)
      radius[i] = std::clamp(kErrors * best.errors[i].value_or(kMostRadius), kLeastRadius, kMostRadius);
  }
  best.errors.assign(p, std::nullopt);  // no surface has the point well inside
  return best;
}

std::vector<double> FamilySearch::Surroundings::coordinates(std::span<const double> x) const {
  std::vector<double> point = centre;
  for (std::size_t i = 0; i < point.size(); ++i) point[i] += radius[i] * x[i];
  return point;
}

ResponseSurface::Point FamilySearch::Surroundings::from_coordinates(std::span<const double> point) const {
  ResponseSurface::Point x(point.begin(), point.end());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] - centre[i]) / radius[i];
  return x;
}

// The whole surroundings lie within the limits of the parameters. Empty when stopped.
std::optional<FamilySearch::Surroundings> FamilySearch::explored(const std::vector<double>& middle,
                                                                 const std::vector<double>& radius) {
  Surroundings around{middle, radius, {}, {}, {}, {}};
  for (std::size_t i = 0; i < middle.size(); ++i) {
    const double low = coordinates_.limit(i, false);
    const double high = coordinates_.limit(i, true);
    double& r = around.radius[i];
    double& centre = around.centre[i];
    r = std::min(r, (high - low) / 2);
    centre = std::clamp(centre, low + r, high - r);
    around.box.low.push_back(std::max(-kReach, (low - centre) / r));
    around.box.high.push_back(std::min(kReach, (high - centre) / r));
  }
  for (const ResponseSurface::Point& x :
       ResponseSurface::design(around.centre.size(), surface_points(coordinates_.family()))) {
    const ArrivalCall call = coordinates_.call(around.coordinates(x));
    const std::optional<Features> features = simulations_.fresh(call);
    if (!features) return std::nullopt;
    around.points.push_back(
        around.from_coordinates(coordinates_.from_values(coordinates_.values(call))));  // as whole numbers are rounded
    around.features.push_back(*features);
  }
  around.surface =
      ResponseSurface::through(around.points, around.features, std::vector<double>(around.points.size(), 1.0));
  return around;
}

// Replicates resample the recorded rows, and the points of the surface for the noise of the simulation.
FamilySearch::Refined FamilySearch::resampled(const Surroundings& around, const ResponseSurface::Point& x,
                                              std::uint64_t seed) const {
  constexpr double kMostAtEdge = 0.05;  // share of the replicates; else the surface is too small to show the error
  const std::size_t p = x.size();
  Refined refined{coordinates_.clamped(around.coordinates(x)), std::vector<std::optional<double>>(p), {}};
  std::vector<double> squares(p, 0);
  std::vector<double> at_edge(p, 0);
  const Features here = around.surface->at(x);
  for (std::uint64_t b = 0; b < kReplicates; ++b) {
    const auto weights = bootstrap_weights(around.points.size(), seed, replicates::kErrors + 2 * b + 1);
    const auto surface = ResponseSurface::through(around.points, around.features, weights);
    const ResponseSurface::Point moved =
        surface.value_or(*around.surface).nearest(rows_.replicates[b], rows_.scales, fitted_, around.box, x);
    refined.moved.push_back(difference(around.surface->at(moved), here));
    for (std::size_t i = 0; i < p; ++i) {
      const double change = around.radius[i] * (moved[i] - x[i]);
      squares[i] += change * change / kReplicates;
      if (std::fabs(moved[i]) == kReach) at_edge[i] += 1.0 / kReplicates;
    }
  }
  for (std::size_t i = 0; i < p; ++i)
    if (rows_.vary && at_edge[i] <= kMostAtEdge && determines(around, x, i)) refined.errors[i] = std::sqrt(squares[i]);
  return refined;
}

// Whether the features change with coordinate i, from one end of the box to the other, by anything to speak of.
bool FamilySearch::determines(const Surroundings& around, const ResponseSurface::Point& x, std::size_t i) const {
  constexpr double kLeastChange = 0.02;  // relative to the accepted difference
  ResponseSurface::Point low = x;
  ResponseSurface::Point high = x;
  low[i] = around.box.low[i];
  high[i] = around.box.high[i];
  return feature_distance(around.surface->at(low), around.surface->at(high), rows_.scales, fitted_) > kLeastChange;
}

// The nearest point whose whole parameters are whole: the others make up for the rounding.
ResponseSurface::Point FamilySearch::with_whole_numbers(const Surroundings& around, ResponseSurface::Point x) const {
  const auto& parameters = coordinates_.family().parameters;
  if (std::none_of(parameters.begin(), parameters.end(), [](const FreeParameter& p) { return p.whole; })) return x;
  const ResponseSurface::Point whole =
      around.from_coordinates(coordinates_.from_values(coordinates_.values(coordinates_.call(around.coordinates(x)))));
  ResponseSurface::Box box = around.box;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (parameters[i].whole) box.low[i] = box.high[i] = x[i] = whole[i];
  return around.surface->nearest(rows_.mean, rows_.scales, fitted_, box, std::move(x));
}

// Valleys end in different places (three descents missed the lowest one of 1 simulated recording in 10): the nearest
// starts all descend a little, and the lowest one continues. A simplex that has collapsed in a valley is opened
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
  return coordinates_.clamped(best->point);
}

// The family's starts, nearest first. Empty when stopped.
std::vector<Minimum> FamilySearch::evaluated_starts() {
  constexpr double kNormalWidth = 2 * 1.6449;  // from 5 % to 95 % of a normal distribution, in standard deviations
  const double spread = std::max(0.5, (rows_.mean[5] - rows_.mean[2]) / kNormalWidth);
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

// From the recorded features; it rises outside the limits, so that the search returns. Empty when stopped.
std::optional<double> FamilySearch::distance(std::span<const double> point) {
  const std::vector<Features> units = simulations_.to_fit(coordinates_.call(point));
  if (units.empty()) return std::nullopt;
  const std::vector<double> inside = coordinates_.clamped(point);
  double outside = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) outside += std::fabs(point[i] - inside[i]);
  return feature_distance(mean_of(units), rows_.mean, rows_.scales, fitted_) + outside;
}

// The interval lies around the point in the coordinate that is searched, so that of a scale is one of ratios. It holds
// the value, which was rounded.
FittedParameter FamilySearch::parameter(const ArrivalCall& call, const Refined& refined, std::size_t i) const {
  constexpr double kOutside = 0.025;  // per side of a 95 % interval
  const FreeParameter& free = coordinates_.family().parameters[i];
  const double value = coordinates_.values(call)[i];
  const double coordinate = refined.point[i];
  const bool at_limit = coordinate <= coordinates_.limit(i, false) || coordinate >= coordinates_.limit(i, true);
  if (!refined.errors[i] || at_limit) return {free.name, value};
  const double error = *refined.errors[i];
  const double half_width = half_width_factor(rows_.rows, kOutside) * error;
  const auto end = [&](double deviation) {
    std::vector<double> moved = refined.point;
    moved[i] += deviation;
    return coordinates_.value(i, coordinates_.clamped(moved)[i]);
  };
  return {free.name, value, free.logarithmic ? error * value : error, std::min(value, end(-half_width)),
          std::max(value, end(half_width))};
}

}  // namespace orderlab
