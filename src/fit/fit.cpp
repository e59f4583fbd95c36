// A fit from end to end.
#include "orderlab/fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "engine/task_list.hpp"
#include "fit/acceptance.hpp"
#include "fit/families.hpp"
#include "fit/family_search.hpp"
#include "fit/features.hpp"
#include "fit/recorded_rows.hpp"
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
    return a.held_out_misfit < b.held_out_misfit;
  };
  const auto found = std::min_element(models.begin(), models.end(), better);
  return found == models.end() ? nullptr : &*found;
}

ArrivalFit fit_arrivals(const Rows& recording, const FitOptions& options) {
  const FloatEnvironment environment;
  const StopScope scope(options.stop);
  check_recording(recording);
  ArrivalFit fit;
  fit.length = recording.rows.front().size();
  choose_rows(recording, fit);
  const std::vector<const ArrivalOrder*> orders = orders_of(recording, fit.rows);
  const RecordedLaunch launch{.m = fit.length, .pass = pass_length(orders), .wave = options.wave};
  const std::vector<const ArrivalFamily*> families = families_for(launch);
  std::vector<std::uint64_t> runs;
  for (const ArrivalFamily* family : families)
    runs.push_back(Simulations::planned(FamilySearch::most_evaluations(*family, launch), fit.length, fit.rows.size()));
  FitProgress progress(options, std::move(runs));
  const auto rows = unless_stopped([&] { return recorded_rows(orders, options); });
  fit.partial = !rows;
  if (fit.partial) return fit;
  fit.recorded = rows->recorded;
  fit.folds = rows->folds.size();
  double squares = 0;
  for (const Fold& fold : rows->folds) squares += std::pow(rows->misfit_to(fold, fold.others), 2);
  fit.floor = std::sqrt(squares / static_cast<double>(rows->folds.size()));
  std::vector<std::optional<FittedModel>> models(families.size());
  run_task_list(families.size(), options.threads, families.size(), [&](std::size_t i) {
    Simulations simulations(options, fit.length, fit.rows.size(), kLoopThreads, progress, i);
    std::optional<FoundModel> found = FamilySearch(*families[i], *rows, launch, simulations).found(options.seed);
    if (!found) return;
    judge(*found, *rows);
    models[i] = std::move(found->model);
    progress.finish(i);
  });
  for (std::optional<FittedModel>& model : models)
    if (model) fit.models.push_back(*std::move(model));
  fit.partial = fit.models.size() < families.size();
  mark_as_near(fit.models);
  return fit;
}

}  // namespace orderlab
