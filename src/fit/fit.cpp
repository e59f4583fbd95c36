#include "orderlab/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arrival/recording.hpp"
#include "fit/errors.hpp"
#include "fit/families.hpp"
#include "fit/features.hpp"
#include "fit/minimize.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kLeastRows = 8;     // four to fit and four to judge: fewer have no spread to speak of
constexpr std::size_t kLeastLength = 16;  // below it the outer quantiles are the extremes
constexpr double kOutlierZ = 5;           // of normal taus one in 1.7 million
constexpr std::size_t kStarts = 1;        // of which a search starts, the nearest of the family's
constexpr int kDigits = 4;                // of a parameter: more than the errors leave meaning to

// Units of simulated orders: enough positions for a mean quantile to be known to about 1 %, whatever the length.
std::uint64_t fitted_units(std::size_t m) { return std::clamp<std::uint64_t>((std::uint64_t{1} << 18) / m, 4, 64); }
constexpr std::uint64_t kJudgingUnits = 4;                           // times as many to judge
constexpr std::uint64_t kFirstJudgingUnit = std::uint64_t{1} << 40;  // none that the fit has seen
constexpr std::uint64_t kFirstJudgingReplicate = 2 * kReplicates;    // the errors take two a replicate

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

void check_recording(const Rows& recording) {
  const std::size_t length = recording.rows.front().size();
  for (std::size_t i = 0; i < recording.rows.size(); ++i) {
    const ArrivalOrder& row = recording.rows[i];
    if (row.size() != length)
      throw Error(ErrorKind::input,
                  fmt::format("{}: row {} has {} numbers and row 1 has {}: every row must be an arrival order of the "
                              "same partial sums",
                              recording.path, i + 1, row.size(), length));
    check_permutation_row(fmt::format("{}: row {}", recording.path, i + 1), row);
  }
  if (length < kLeastLength)
    throw Error(ErrorKind::input, fmt::format("{}: rows of {} numbers; a fit takes arrival orders of {} or more",
                                              recording.path, length, kLeastLength));
}

// Takes the outliers out of the rows and deals the others into those fitted and those held out.
void deal_rows(const Rows& recording, HeldOut held_out, ArrivalFit& fit) {
  std::vector<double> taus;
  for (const ArrivalOrder& row : recording.rows) taus.push_back(kendall_tau(row));
  const double middle = median(taus);
  std::vector<double> distances;
  for (const double tau : taus) distances.push_back(std::fabs(tau - middle));
  constexpr double kNormal = 1.4826;  // standard deviation over median absolute deviation, of normal numbers
  const double deviation = kNormal * median(distances);
  std::size_t usable = 0;
  for (std::size_t i = 0; i < taus.size(); ++i) {
    const double z = deviation > 0 ? (taus[i] - middle) / deviation : 0;
    if (std::fabs(z) > kOutlierZ) {
      fit.outliers.push_back({i, taus[i], z});
      continue;
    }
    const bool even = ++usable % 2 == 0;
    (even == (held_out == HeldOut::even) ? fit.held_out_rows : fit.fitted_rows).push_back(i);
  }
  if (usable < kLeastRows)
    throw Error(ErrorKind::input, fmt::format("{}: {} usable rows of {}; a fit takes {} or more, half of them held out",
                                              recording.path, usable, taus.size(), kLeastRows));
}

RecordedFeatures features_of(const Rows& recording, std::span<const std::size_t> rows, const SampleOptions& how) {
  std::vector<const ArrivalOrder*> chosen;
  for (const std::size_t row : rows) chosen.push_back(&recording.rows[row]);
  return RecordedFeatures(std::move(chosen), how);
}

// Counts simulations for the progress bar and stops them.
class Simulations {
 public:
  Simulations(const FitOptions& options, std::size_t m) : options_(options), m_(m) {
    for (const ArrivalFamily& family : arrival_families()) planned_ += planned(family);
    how_.threads = options.threads;
    how_.stop = options.stop;
  }

  static std::uint64_t planned(const ArrivalFamily& family) {
    return kStarts * MinimizeLimits{}.evaluations * family.parameters.size();
  }

  // Empty when stopped.
  std::vector<Features> units(const ArrivalCall& call, std::uint64_t first, std::uint64_t count) {
    std::vector<Features> found = simulate_units(call, m_, options_.seed, first, count, how_);
    if (options_.stop.stop_requested()) return {};
    if (options_.progress) options_.progress(std::min(++done_, planned_), planned_);
    return found;
  }

  const SampleOptions& how() const { return how_; }
  std::size_t length() const { return m_; }

  // A family took fewer simulations than it might have.
  void finish(std::size_t families) {
    done_ = 0;
    for (std::size_t i = 0; i < families; ++i) done_ += planned(arrival_families()[i]);
  }

 private:
  const FitOptions& options_;
  std::size_t m_;
  SampleOptions how_;
  std::uint64_t planned_ = 0;
  std::uint64_t done_ = 0;
};

// The search for the parameters of one family.
class FamilySearch {
 public:
  FamilySearch(const ArrivalFamily& family, const RecordedFeatures& rows, Simulations& simulations)
      : coordinates_(family, simulations.length()),
        rows_(rows),
        recorded_(rows.mean()),
        simulations_(simulations),
        units_(fitted_units(simulations.length())) {}

  // Empty when stopped.
  std::optional<std::vector<double>> best() {
    constexpr double kNormalWidth = 2 * 1.6449;  // from 5 % to 95 % of a normal distribution, in standard deviations
    const double spread = std::max(0.5, (recorded_[5] - recorded_[2]) / kNormalWidth);
    std::vector<Minimum> starts;
    for (const std::vector<double>& values : coordinates_.family().starts(spread, simulations_.length())) {
      const std::vector<double> point = coordinates_.from_values(values);
      const std::optional<double> value = distance(point);
      if (!value) return std::nullopt;
      starts.push_back({point, *value});
    }
    std::stable_sort(starts.begin(), starts.end(),
                     [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
    starts.resize(std::min(starts.size(), kStarts));
    std::optional<Minimum> least;
    for (const Minimum& start : starts) {
      const std::optional<Minimum> found = descend(start);
      if (!found) return std::nullopt;
      if (!least || found->value < least->value) least = found;
    }
    return coordinates_.clamped(least->point);
  }

  // Empty when stopped.
  std::optional<FittedModel> described(const std::vector<double>& point, std::uint64_t seed) {
    FittedModel model;
    model.call = coordinates_.call(point, kDigits);
    model.arrival = to_string(model.call);
    const std::vector<Features> units = simulate(model.call);
    if (units.empty()) return std::nullopt;
    model.fitted_distance = feature_distance(mean_of(units), recorded_);
    const auto slopes = slopes_at(point);
    if (!slopes) return std::nullopt;
    const auto matrix = gauss_newton(*slopes, feature_tolerances(recorded_));
    std::vector<std::vector<double>> deviations;
    if (matrix) deviations = bootstrap_deviations(rows_, units, *matrix, seed);
    for (std::size_t i = 0; i < point.size(); ++i)
      model.parameters.push_back(parameter(model.call, i, point, deviations.empty() ? nullptr : &deviations[i]));
    return model;
  }

 private:
  // A simplex that has collapsed in a valley is opened again, to the other side, for as long as that helps. Empty when
  // stopped.
  std::optional<Minimum> descend(Minimum from) {
    constexpr int kMostRounds = 4;
    constexpr double kHelped = 0.98;
    MinimizeLimits limits;
    for (int round = 0; round < kMostRounds; ++round) {
      auto found = minimize([this](std::span<const double> point) { return distance(point); }, from.point, limits);
      if (!found) return std::nullopt;
      const bool helped = found->value < kHelped * from.value;
      from = std::move(*found);
      if (!helped) break;
      limits.step = -limits.step;
    }
    return from;
  }

  std::vector<Features> simulate(const ArrivalCall& call) { return simulations_.units(call, 0, units_); }

  // From the recorded features; rises beyond the limits, so that the search comes back.
  std::optional<double> distance(std::span<const double> point) {
    const std::vector<Features> units = simulate(coordinates_.call(point));
    if (units.empty()) return std::nullopt;
    const std::vector<double> inside = coordinates_.clamped(point);
    double outside = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) outside += std::fabs(point[i] - inside[i]);
    return feature_distance(mean_of(units), recorded_) + outside;
  }

  // Central differences; with equal random numbers for both ends a step far above the roughness will do.
  std::optional<std::vector<Features>> slopes_at(const std::vector<double>& point) {
    std::vector<Features> slopes;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const bool whole = coordinates_.family().parameters[i].whole;
      const double step = whole ? std::max(0.05, 1 / coordinates_.value(i, point[i])) : 0.05;
      std::vector<double> below = point;
      std::vector<double> above = point;
      below[i] -= step;
      above[i] += step;
      below = coordinates_.clamped(below);
      above = coordinates_.clamped(above);
      const std::vector<Features> low = simulate(coordinates_.call(below));
      const std::vector<Features> high = simulate(coordinates_.call(above));
      if (low.empty() || high.empty()) return std::nullopt;
      const Features low_mean = mean_of(low);
      Features slope = mean_of(high);
      for (std::size_t f = 0; f < kFeatures; ++f) slope[f] = (slope[f] - low_mean[f]) / (above[i] - below[i]);
      slopes.push_back(slope);
    }
    return slopes;
  }

  FittedParameter parameter(const ArrivalCall& call, std::size_t i, const std::vector<double>& point,
                            const std::vector<double>* deviations) const {
    const FreeParameter& free = coordinates_.family().parameters[i];
    const double value = free.whole ? static_cast<double>(call.arguments->count(i)) : call.arguments->real(i);
    if (deviations == nullptr) return {free.name, value};
    double squares = 0;
    for (const double d : *deviations) squares += d * d;
    const double sd = std::sqrt(squares / static_cast<double>(deviations->size()));
    const Interval middle = middle_95(*deviations);
    const auto end = [&](double deviation) {
      std::vector<double> moved = point;
      moved[i] += deviation;
      return coordinates_.value(i, coordinates_.clamped(moved)[i]);
    };
    return {free.name, value, free.logarithmic ? sd * value : sd, end(middle.low), end(middle.high)};
  }

  Coordinates coordinates_;
  const RecordedFeatures& rows_;
  Features recorded_;
  Simulations& simulations_;
  std::uint64_t units_;
};

// False when stopped.
bool judge(FittedModel& model, const RecordedFeatures& held_out, Simulations& simulations, std::uint64_t seed) {
  const std::uint64_t count = kJudgingUnits * fitted_units(simulations.length());
  const std::vector<Features> units = simulations.units(model.call, kFirstJudgingUnit, count);
  if (units.empty()) return false;
  const Features fitted = mean_of(units);
  const Features recorded = held_out.mean();
  model.held_out_distance = feature_distance(fitted, recorded);
  std::vector<Features> replicates;
  for (std::uint64_t b = 0; b < kReplicates; ++b)
    replicates.push_back(held_out.mean(bootstrap_weights(held_out.size(), seed, kFirstJudgingReplicate + b)));
  const Features tolerances = feature_tolerances(recorded);
  for (std::size_t f = 0; f < kFeatures; ++f) {
    std::vector<double> values;
    for (const Features& replicate : replicates) values.push_back(replicate[f]);
    std::sort(values.begin(), values.end());
    const auto [low, high] = middle_95(values);
    const bool quantile = f >= kFeatures - kDisplacementLevels.size();
    const bool accepted =
        std::fabs(fitted[f] - recorded[f]) <= tolerances[f] || (quantile && low <= fitted[f] && fitted[f] <= high);
    model.matches[f] = {recorded[f], low, high, fitted[f], accepted};
  }
  return true;
}

}  // namespace

Features feature_tolerances(const Features& recorded) {
  constexpr double kTau = 0.01;
  constexpr double kQuantile = 0.1;
  Features tolerances{kTau, kTau};
  for (std::size_t f = kFeatures - kDisplacementLevels.size(); f < kFeatures; ++f)
    tolerances[f] = std::max(kQuantile * std::fabs(recorded[f]), 1.0);
  return tolerances;
}

double feature_distance(const Features& fitted, const Features& recorded) {
  const Features tolerances = feature_tolerances(recorded);
  double squares = 0;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    const double difference = (fitted[f] - recorded[f]) / tolerances[f];
    squares += difference * difference;
  }
  return std::sqrt(squares / kFeatures);
}

bool FittedModel::accepted() const {
  return std::all_of(matches.begin(), matches.end(), [](const FeatureMatch& match) { return match.accepted; });
}

const FittedModel* ArrivalFit::best() const {
  const auto better = [](const FittedModel& a, const FittedModel& b) {
    if (a.accepted() != b.accepted()) return a.accepted();
    return a.held_out_distance < b.held_out_distance;
  };
  const auto found = std::min_element(models.begin(), models.end(), better);
  return found == models.end() ? nullptr : &*found;
}

ArrivalFit fit_arrivals(const Rows& recording, const FitOptions& options) {
  check_recording(recording);
  ArrivalFit fit;
  fit.length = recording.rows.front().size();
  deal_rows(recording, options.held_out, fit);
  Simulations simulations(options, fit.length);
  const RecordedFeatures fitted = features_of(recording, fit.fitted_rows, simulations.how());
  const RecordedFeatures held_out = features_of(recording, fit.held_out_rows, simulations.how());
  fit.partial = options.stop.stop_requested();
  if (fit.partial) return fit;
  fit.recorded = fitted.mean();
  for (const ArrivalFamily& family : arrival_families()) {
    FamilySearch search(family, fitted, simulations);
    const auto point = search.best();
    std::optional<FittedModel> model = point ? search.described(*point, options.seed) : std::nullopt;
    fit.partial = !model || !judge(*model, held_out, simulations, options.seed);
    if (fit.partial) return fit;
    fit.models.push_back(std::move(*model));
    simulations.finish(fit.models.size());
  }
  return fit;
}

}  // namespace orderlab
