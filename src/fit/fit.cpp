// A fit from end to end.
#include "orderlab/fit.hpp"

#include <algorithm>
#include <utility>

#include "core/float_environment.hpp"
#include "engine/task_list.hpp"
#include "fit/acceptance.hpp"
#include "fit/bootstrap.hpp"
#include "fit/errors.hpp"
#include "fit/families.hpp"
#include "fit/family_search.hpp"
#include "fit/features.hpp"
#include "fit/row_roles.hpp"
#include "fit/simulations.hpp"

namespace orderlab {

namespace {

std::vector<const ArrivalOrder*> orders_of(const Rows& recording, std::span<const std::size_t> rows) {
  std::vector<const ArrivalOrder*> chosen;
  for (const std::size_t row : rows) chosen.push_back(&recording.rows[row]);
  return chosen;
}

}  // namespace

const FittedModel* ArrivalFit::best() const {
  const FloatEnvironment environment;
  const auto better = [](const FittedModel& a, const FittedModel& b) {
    if (a.as_near != b.as_near) return a.as_near;
    if (a.parameters.size() != b.parameters.size()) return a.parameters.size() < b.parameters.size();
    return a.held_out_distance < b.held_out_distance;
  };
  const auto found = std::min_element(models.begin(), models.end(), better);
  return found == models.end() ? nullptr : &*found;
}

ArrivalFit fit_arrivals(const Rows& recording, const FitOptions& options) {
  const FloatEnvironment environment;
  check_recording(recording);
  ArrivalFit fit;
  fit.length = recording.rows.front().size();
  deal_rows(recording, options.held_out, fit);
  const std::vector<const ArrivalOrder*> fitted_orders = orders_of(recording, fit.fitted_rows);
  const std::size_t pass = pass_length(fitted_orders);
  const std::vector<const ArrivalFamily*> families = families_for(fit.length, pass);
  std::vector<std::uint64_t> units;
  for (const ArrivalFamily* family : families)
    units.push_back(Simulations::planned(FamilySearch::most_evaluations(*family, fit.length), fit.length));
  FitProgress progress(options, std::move(units));
  SampleOptions how;
  how.threads = options.threads;
  how.stop = options.stop;
  const RecordedFeatures fitted(fitted_orders, how);
  const RecordedFeatures held_out(orders_of(recording, fit.held_out_rows), how);
  fit.partial = options.stop.stop_requested();
  if (fit.partial) return fit;
  const ResampledRows fitted_rows = resample(fitted, options.seed, replicates::kErrors);
  const ResampledRows held_out_rows = resample(held_out, options.seed, replicates::kJudging);
  fit.recorded = fitted_rows.mean;
  std::vector<FittedModel> models(families.size());
  std::vector<std::vector<double>> distances(families.size());
  run_task_list(families.size(), options.threads, families.size(), [&](std::size_t i) {
    Simulations simulations(options, fit.length, kLoopThreads, progress, i);
    std::optional<FoundModel> found = FamilySearch(*families[i], fitted_rows, pass, simulations).found(options.seed);
    const std::vector<Features> judging = found ? simulations.to_judge(found->model.call) : std::vector<Features>();
    if (judging.empty()) return;
    distances[i] = judge(*found, held_out_rows, judging, fit.length, options.seed);
    models[i] = std::move(found->model);
    progress.finish(i);
  });
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (distances[i].empty()) continue;
    fit.models.push_back(std::move(models[i]));
    std::swap(distances[fit.models.size() - 1], distances[i]);
  }
  distances.resize(fit.models.size());
  fit.partial = fit.models.size() < families.size();
  mark_as_near(fit.models, distances, fit.held_out_rows.size());
  return fit;
}

}  // namespace orderlab
