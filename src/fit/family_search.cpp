// Longer than most files: one search, from the starts of a family to its parameters and their errors.
#include "fit/family_search.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <utility>

#include "fit/bootstrap.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr int kDigits = 4;          // in a parameter: more than the errors leave meaning to
constexpr int kSurfaces = 6;        // that end a search
constexpr std::size_t kPoints = 9;  // on a surface for each coefficient

// Beyond these evaluations for every parameter the simplex no longer helps: the surfaces take over long before.
std::uint64_t search_evaluations(const ArrivalFamily& family) { return 75 * family.parameters.size(); }

// Each is a simulated recording, too, and many of them tell how recordings of the model differ.
std::size_t surface_points(const ArrivalFamily& family) {
  constexpr std::size_t kLeastPoints = 40;
  return std::max(kPoints * ResponseSurface::coefficients(family.parameters.size()), kLeastPoints);
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

FamilySearch::FamilySearch(const ArrivalFamily& family, const RecordedRows& rows, const RecordedLaunch& launch,
                           Simulations& simulations)
    : coordinates_(family, launch), rows_(rows), launch_(launch), simulations_(simulations) {}

std::uint64_t FamilySearch::most_evaluations(const ArrivalFamily& family, const RecordedLaunch& launch) {
  constexpr std::uint64_t kOvershoot = 1;  // a simplex ends with a whole step
  const std::size_t parameters = family.parameters.size();
  if (parameters == 0) return surface_points(family);
  return family.starts(1, launch).size() + search_evaluations(family) + (kOvershoot + parameters) +
         kSurfaces * surface_points(family);
}

std::optional<FoundModel> FamilySearch::found(std::uint64_t seed) {
  std::vector<double> start;
  if (!coordinates_.family().parameters.empty()) {
    auto point = nearest();
    if (!point) return std::nullopt;
    start = *std::move(point);
  }
  std::optional<Refined> best = refined(start, seed);
  if (!best) return std::nullopt;
  FoundModel found;
  found.model.call = coordinates_.call(best->point, kDigits);
  found.model.arrival = to_string(found.model.call);
  const std::optional<Features> features = simulations_.to_judge(found.model.call);
  if (!features) return std::nullopt;
  found.features = *features;
  if (const auto given = coordinates_.given()) found.model.parameters.push_back(*given);
  for (std::size_t i = 0; i < best->point.size(); ++i)
    found.model.parameters.push_back(parameter(found.model.call, *best, i));
  found.resampled = std::move(best->resampled);
  found.simulated = std::move(best->simulated);
  for (const Features& change : best->folds) {
    Features& moved = found.fold_features.emplace_back(found.features);
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) moved[f] += change[f];
  }
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
  Refined best{from, std::vector<std::optional<Uncertainty>>(p), {}, {}, std::vector<Features>(rows_.folds.size())};
  std::vector<double> radius(p, kFirstRadius);
  for (int s = 0; s < kSurfaces; ++s) {
    const auto around = explored(best.point, radius);
    if (!around) return std::nullopt;
    if (!around->surface) break;
    const ResponseSurface::Point x = around->surface->nearest(rows_.mean, rows_.scales, rows_.defined, around->box,
                                                              around->from_coordinates(best.point));
    best = resampled(*around, x, seed);
    if (p == 0 || (s > 0 && well_inside(x, around->box))) {
      best.point = coordinates_.clamped(around->coordinates(with_whole_numbers(*around, x)));
      return best;
    }
    for (std::size_t i = 0; i < p; ++i)
      radius[i] =
          std::clamp(kErrors * (best.uncertain[i] ? best.uncertain[i]->error : kMostRadius), kLeastRadius, kMostRadius);
  }
  best.uncertain.assign(p, std::nullopt);  // no surface has the point well inside
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
    if (coordinates_.family().parameters[i].whole) r = std::max(r, coordinates_.whole_steps(i, centre));
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

// How far the nearest point moves, in one kind of recordings.
class FamilySearch::Spread {
 public:
  explicit Spread(std::size_t p) : squares_(p), at_edge_(p) {}

  void add(std::span<const double> change, std::span<const double> moved) {
    ++count_;
    for (std::size_t i = 0; i < squares_.size(); ++i) {
      squares_[i] += change[i] * change[i];
      if (std::fabs(moved[i]) == kReach) ++at_edge_[i];
    }
  }

  /// Root mean square. Empty where the surface is too small to show it.
  std::optional<double> of(std::size_t i) const {
    constexpr double kMostAtEdge = 0.05;  // share of the recordings
    if (at_edge_[i] > kMostAtEdge * count_) return std::nullopt;
    return std::sqrt(squares_[i] / count_);
  }

 private:
  double count_ = 0;
  std::vector<double> squares_;
  std::vector<double> at_edge_;
};

// Recordings are resampled, and simulated: the residuals of the surface's points are those of simulated recordings. The
// points of the surface are resampled for its own noise. Where points lie beyond the limits of a parameter, the surface
// stands for what its features would be there: cut off, they would hide the error.
FamilySearch::Refined FamilySearch::resampled(const Surroundings& around, const ResponseSurface::Point& x,
                                              std::uint64_t seed) const {
  constexpr double kOutside = 0.025;  // per side of a 95 % interval
  const std::size_t p = x.size();
  const ResponseSurface::Box wide{ResponseSurface::Point(p, -kReach), ResponseSurface::Point(p, kReach)};
  const Features here = around.surface->at(x);
  const std::vector<Features> residuals = around.residuals();
  Refined refined{coordinates_.clamped(around.coordinates(x)),
                  std::vector<std::optional<Uncertainty>>(p),
                  {},
                  {},
                  fold_changes(around, x)};
  Spread resampled(p);
  Spread simulated(p);
  for (std::size_t b = 0; b < rows_.replicates.size(); ++b) {
    const auto weights = bootstrap_weights(around.points.size(), seed, replicates::kSurface + b);
    const auto through_points = ResponseSurface::through(around.points, around.features, weights);
    const ResponseSurface& surface = through_points ? *through_points : *around.surface;
    // How a residual changes where the recorded features change.
    const auto residual_change = [&](const Features& recorded_change, Spread& spread) {
      Features target = rows_.mean;
      for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) target[f] += recorded_change[f];
      const ResponseSurface::Point moved = surface.nearest(target, rows_.scales, rows_.defined, wide, x);
      std::vector<double> change;
      for (std::size_t i = 0; i < p; ++i) change.push_back(around.radius[i] * (moved[i] - x[i]));
      spread.add(change, moved);
      return difference(recorded_change, difference(around.surface->at(moved), here));
    };
    refined.resampled.push_back(residual_change(difference(rows_.replicates[b], rows_.mean), resampled));
    refined.simulated.push_back(residual_change(residuals[b % residuals.size()], simulated));
  }
  const double student = student_quantile(rows_.runs(), kOutside);
  const double normal = boost::math::quantile(boost::math::complement(boost::math::normal(), kOutside));
  for (std::size_t i = 0; i < p; ++i) {
    const auto of_rows = resampled.of(i);
    const auto of_model = simulated.of(i);
    if (!rows_.vary || !of_rows || !of_model || !determines(around, x, i)) continue;
    const double widened = rows_.widened * *of_rows;
    refined.uncertain[i] = {std::max(widened, *of_model), std::max(student * widened, normal * *of_model)};
  }
  return refined;
}

// Of the features at x, when the fit is repeated on the same surface without the runs of each fold.
std::vector<Features> FamilySearch::fold_changes(const Surroundings& around, const ResponseSurface::Point& x) const {
  std::vector<Features> changes;
  for (const Fold& fold : rows_.folds) {
    const ResponseSurface::Point without =
        around.surface->nearest(fold.others, rows_.scales, rows_.defined & fold.defined, around.box, x);
    changes.push_back(difference(around.surface->at(without), around.surface->at(x)));
  }
  return changes;
}

// Of simulated recordings, from the surface, which has lost a degree of freedom for each of its coefficients.
std::vector<Features> FamilySearch::Surroundings::residuals() const {
  const auto count = static_cast<double>(points.size());
  const auto lost = static_cast<double>(ResponseSurface::coefficients(centre.size()));
  const double widening = std::sqrt(count / (count - lost));
  std::vector<Features> found;
  for (std::size_t k = 0; k < points.size(); ++k) {
    Features& residual = found.emplace_back(difference(features[k], surface->at(points[k])));
    for (double& value : residual) value *= widening;
  }
  return found;
}

// Whether the features change with coordinate i, from one end of the box to the other, by anything to speak of.
bool FamilySearch::determines(const Surroundings& around, const ResponseSurface::Point& x, std::size_t i) const {
  constexpr double kLeastChange = 0.02;  // relative to the accepted difference
  ResponseSurface::Point low = x;
  ResponseSurface::Point high = x;
  low[i] = around.box.low[i];
  high[i] = around.box.high[i];
  return feature_distance(around.surface->at(low), around.surface->at(high), rows_.scales, rows_.defined) >
         kLeastChange;
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
  return around.surface->nearest(rows_.mean, rows_.scales, rows_.defined, box, std::move(x));
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
  constexpr std::size_t kLow = feature_named("displacement_q5");
  constexpr std::size_t kHigh = feature_named("displacement_q95");
  const double spread = std::max(0.5, (rows_.mean[kHigh] - rows_.mean[kLow]) / kNormalWidth);
  std::vector<Minimum> starts;
  for (const std::vector<double>& values : coordinates_.family().starts(spread, launch_)) {
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
  const std::optional<Features> features = simulations_.to_fit(coordinates_.call(point));
  if (!features) return std::nullopt;
  const std::vector<double> inside = coordinates_.clamped(point);
  double outside = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) outside += std::fabs(point[i] - inside[i]);
  return feature_distance(*features, rows_.mean, rows_.scales, rows_.defined) + outside;
}

// The interval lies around the point in the coordinate that is searched, so that of a scale is one of ratios. It holds
// the value, which was rounded.
FittedParameter FamilySearch::parameter(const ArrivalCall& call, const Refined& refined, std::size_t i) const {
  const FreeParameter& free = coordinates_.family().parameters[i];
  const double value = coordinates_.values(call)[i];
  const double coordinate = refined.point[i];
  const bool at_limit = coordinate <= coordinates_.limit(i, false) || coordinate >= coordinates_.limit(i, true);
  if (!refined.uncertain[i] || at_limit) return {free.name, value};
  const auto [error, half_width] = *refined.uncertain[i];
  const auto end = [&](double deviation) {
    std::vector<double> moved = refined.point;
    moved[i] += deviation;
    return coordinates_.value(i, coordinates_.clamped(moved)[i]);
  };
  return {free.name, value, free.logarithmic ? error * value : error, std::min(value, end(-half_width)),
          std::max(value, end(half_width))};
}

}  // namespace orderlab
