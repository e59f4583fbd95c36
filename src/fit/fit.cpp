// A fit from end to end.
#include "orderlab/fit.hpp"

#include <algorithm>
#include <utility>

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
  const auto better = [](const FittedModel& a, const FittedModel& b) {
    if (a.as_near != b.as_near) return a.as_near;
    if (a.parameters.size() != b.parameters.size()) return a.parameters.size() < b.parameters.size();
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
  const std::vector<const ArrivalOrder*> fitted_orders = orders_of(recording, fit.fitted_rows);
  const std::size_t pass = pass_length(fitted_orders);
  const std::vector<const ArrivalFamily*> families = families_for(fit.length, pass);
  std::vector<std::uint64_t> evaluations;
  for (const ArrivalFamily* family : families)
    evaluations.push_back(FamilySearch::most_evaluations(*family, fit.length));
  Simulations simulations(options, fit.length, std::move(evaluations));
  const RecordedFeatures fitted(fitted_orders, simulations.how());
  const RecordedFeatures held_out(orders_of(recording, fit.held_out_rows), simulations.how());
  fit.partial = options.stop.stop_requested();
  if (fit.partial) return fit;
  const ResampledRows fitted_rows = resample(fitted, options.seed, replicates::kErrors);
  const ResampledRows held_out_rows = resample(held_out, options.seed, replicates::kJudging);
  fit.recorded = fitted_rows.mean;
  std::vector<std::vector<double>> distances;
  for (const ArrivalFamily* family : families) {
    std::optional<FoundModel> found = FamilySearch(*family, fitted_rows, pass, simulations).found(options.seed);
    const std::vector<Features> units = found ? simulations.to_judge(found->model.call) : std::vector<Features>();
    fit.partial = units.empty();
    if (fit.partial) break;
    distances.push_back(judge(*found, held_out_rows, units, fit.length, options.seed));
    simulations.finish(fit.models.size());
    fit.models.push_back(std::move(found->model));
  }
  mark_as_near(fit.models, distances, fit.held_out_rows.size());
  return fit;
}

}  // namespace orderlab
