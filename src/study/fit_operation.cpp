#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <span>

#include "core/float_environment.hpp"
#include "core/printed_number.hpp"
#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "fit/minimize.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/fit.hpp"
#include "study/fit_options.hpp"
#include "study/vc_simulation.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// A parameter that is searched: by its logarithm, or a share by itself.
struct SearchedParameter {
  double start;
  double low;
  double high;
  bool share = false;
};

/// A model to fit. Adding one is an entry below.
struct OperationFamily {
  std::string (*text)(std::span<const double> parameters, std::uint64_t grid);
  std::span<const SearchedParameter> parameters;
  bool fits_sd = false;  ///< some parameter moves the variation from run to run
};

constexpr SearchedParameter kSpread{200, 0.1, 1e5};
constexpr SearchedParameter kJitterOnly[] = {kSpread};
constexpr SearchedParameter kPassesOfRuns[] = {kSpread, kSpread, {0.2, 0, SortKey::kGreatestRun, true}};
constexpr SearchedParameter kSteadyJitter[] = {kSpread, {0.3, 0, 1, true}};
constexpr SearchedParameter kBatchedJitter[] = {kSpread, {100, 1, 1e4}, {0.5, 0, 1, true}};

std::string digits(double x) { return fmt::format("{:.4g}", printed(x)); }

constexpr OperationFamily kOperationFamilies[] = {
    {[](std::span<const double>, std::uint64_t) { return std::string("uniform"); }, {}},
    {[](std::span<const double> p, std::uint64_t) { return "jitter(" + digits(p[0]) + ")"; }, kJitterOnly},
    {[](std::span<const double> p, std::uint64_t grid) {
       return fmt::format("passes({},{},{},run={})", grid, digits(p[0]), digits(p[1]), digits(p[2]));
     },
     kPassesOfRuns, true},
    {[](std::span<const double> p, std::uint64_t) {
       return "steady(jitter(" + digits(p[0]) + ")," + digits(p[1]) + ")";
     },
     kSteadyJitter, true},
    {[](std::span<const double> p, std::uint64_t) {
       return fmt::format("batches({0},{0},{1},{2})", digits(p[0]), digits(p[1]), digits(p[2]));
     },
     kBatchedJitter, true},
};

/// A row of the table that says something about arrivals.
struct UsedRow {
  VcPoint point;
  VcSimulation simulation;
};

using Rows = std::vector<const UsedRow*>;

constexpr double kLeastPrediction = 1e-9;  // where the logarithm of a predicted 0 stops
constexpr double kSdWeight = 0.25;  // a predicted sd of some tens of runs is off by a tenth, as a mean is by 1/20

double log_ratio(double predicted, double measured) {
  return std::log(std::max(predicted, kLeastPrediction) / measured);
}

std::vector<VcPrediction> predict_rows(const Rows& rows, const OperationFamily& family, std::span<const double> values,
                                       const OperationFitRequest& request) {
  std::vector<VcPrediction> predictions(rows.size());
  loop_on(request.threads)(rows.size(), [&](std::size_t i) {
    const ArrivalCall arrival = parse_arrival(family.text(values, rows[i]->simulation.grid()));
    predictions[i] = rows[i]->simulation.predict(arrival, request);
  });
  return predictions;
}

/// Root of the mean square of the logarithms; of sd where asked.
double rms(const Rows& rows, const std::vector<VcPrediction>& predictions, bool of_sd) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const VcPoint& point = rows[i]->point;
    if (of_sd && !(point.sd && *point.sd > 0 && predictions[i].sd > 0)) continue;  // too few runs to predict one
    const double ratio = of_sd ? log_ratio(predictions[i].sd, *point.sd) : log_ratio(predictions[i].mean, point.vc);
    sum += ratio * ratio;
    ++count;
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

std::vector<double> values_of(const OperationFamily& family, std::span<const double> point) {
  std::vector<double> values;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const SearchedParameter& p = family.parameters[i];
    values.push_back(std::clamp(p.share ? point[i] : std::exp(point[i]), p.low, p.high));
  }
  return values;
}

std::vector<VcBySize> by_size(const Rows& rows, const std::vector<VcPrediction>& predictions) {
  std::map<std::uint64_t, VcBySize> sizes;
  std::map<std::uint64_t, double> counts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const VcPoint& point = rows[i]->point;
    VcBySize& size = sizes[point.n];
    size.n = point.n;
    size.measured += point.vc;
    size.predicted += predictions[i].mean;
    size.measured_sd += point.sd.value_or(0);
    size.predicted_sd += predictions[i].sd;
    ++counts[point.n];
  }
  std::vector<VcBySize> list;
  for (auto& [n, size] : sizes) {
    for (double* value : {&size.measured, &size.predicted, &size.measured_sd, &size.predicted_sd}) *value /= counts[n];
    list.push_back(size);
  }
  return list;
}

/// Empty when stopped.
std::optional<FittedOperationArrival> fit_family(const OperationFamily& family, const Rows& fitted,
                                                 const Rows& held_out, const OperationFitRequest& request,
                                                 const Watch& watch) {
  std::vector<double> start;
  for (const SearchedParameter& p : family.parameters) start.push_back(p.share ? p.start : std::log(p.start));
  std::vector<double> best = start;
  if (!start.empty()) {
    const auto distance = [&](std::span<const double> point) -> std::optional<double> {
      if (watch.stop.stop_requested()) return std::nullopt;
      const auto predictions = predict_rows(fitted, family, values_of(family, point), request);
      const double of_mean = rms(fitted, predictions, false);
      const double of_sd = family.fits_sd ? rms(fitted, predictions, true) : 0;
      return of_mean * of_mean + kSdWeight * of_sd * of_sd;
    };
    constexpr std::size_t kEvaluationsAParameter = 25;
    const auto least = minimize(distance, start,
                                {.step = 0.5, .tolerance = 0.01, .evaluations = kEvaluationsAParameter * start.size()});
    if (!least) return std::nullopt;
    best = least->point;
  }
  if (watch.stop.stop_requested()) return std::nullopt;
  const std::vector<double> values = values_of(family, best);
  const auto near = predict_rows(fitted, family, values, request);
  const auto far = predict_rows(held_out, family, values, request);
  FittedOperationArrival result;
  std::uint64_t grid = 1;
  for (const Rows* rows : {&fitted, &held_out})
    for (const UsedRow* row : *rows) grid = std::max(grid, row->simulation.grid());
  result.arrival = to_string(parse_arrival(family.text(values, grid)));
  result.rms_fitted = rms(fitted, near, false);
  result.rms_held_out = rms(held_out, far, false);
  result.rms_sd_held_out = rms(held_out, far, true);
  Rows all = fitted;
  all.insert(all.end(), held_out.begin(), held_out.end());
  std::vector<VcPrediction> predictions = near;
  predictions.insert(predictions.end(), far.begin(), far.end());
  result.sizes = by_size(all, predictions);
  return result;
}

}  // namespace

OperationFitFinding fit_operation(const OperationFitRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  kFitOperationOptions.check(request);
  const OperationCall call = parse_operation(request.operation);
  OperationFitFinding finding;
  finding.operation = to_string(call);
  finding.device = request.device;
  finding.split = request.split;
  finding.seed = request.seed;
  finding.inputs = request.inputs;
  finding.samples = request.samples;
  std::vector<std::unique_ptr<const UsedRow>> used;
  {
    const WatchedStage stage(watch, "inputs");
    for (std::size_t i = 0; i < request.table.size(); ++i) {
      const VcPoint& point = request.table[i];
      VcSimulation simulation(call, point, request);
      if (point.vc > 0 && simulation.varies())
        used.push_back(std::make_unique<const UsedRow>(UsedRow{point, std::move(simulation)}));
      call_back(watch.advances, Progress{i + 1, request.table.size(),
                                         static_cast<double>(i + 1) / static_cast<double>(request.table.size())});
    }
  }
  finding.rows = used.size();
  finding.unused = request.table.size() - used.size();
  Rows small;
  Rows large;
  for (const auto& row : used) (row->point.n <= request.split ? small : large).push_back(row.get());
  if (small.empty() || large.empty())
    throw RequestError("split", std::to_string(request.split),
                       std::string("there are no rows to use ") + (small.empty() ? "up to" : "above") + " that size");
  const WatchedStage stage(watch, "models");
  const std::size_t total = 2 * std::size(kOperationFamilies);
  std::size_t done = 0;
  for (const bool up : {true, false})
    for (const OperationFamily& family : kOperationFamilies) {
      auto fitted = unless_stopped([&] {
                      return fit_family(family, up ? small : large, up ? large : small, request, watch);
                    }).value_or(std::nullopt);
      if (!fitted) {
        finding.partial = true;
        return finding;
      }
      (up ? finding.small : finding.large).push_back(*std::move(fitted));
      ++done;
      call_back(watch.advances, Progress{done, total, static_cast<double>(done) / static_cast<double>(total)});
    }
  return finding;
}

}  // namespace orderlab::study
