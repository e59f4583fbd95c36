// A fit from end to end.
#include "orderlab/fit.hpp"

#include <algorithm>
#include <utility>

#include "fit/acceptance.hpp"
#include "fit/families.hpp"
#include "fit/family_search.hpp"
#include "fit/features.hpp"
#include "fit/row_roles.hpp"
#include "fit/simulations.hpp"

namespace orderlab {

namespace {

RecordedFeatures features_of(const Rows& recording, std::span<const std::size_t> rows, const SampleOptions& how) {
  std::vector<const ArrivalOrder*> chosen;
  for (const std::size_t row : rows) chosen.push_back(&recording.rows[row]);
  return RecordedFeatures(chosen, how);
}

}  // namespace

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
  std::vector<std::uint64_t> evaluations;
  for (const ArrivalFamily& family : arrival_families())
    evaluations.push_back(FamilySearch::most_evaluations(family, fit.length));
  Simulations simulations(options, fit.length, std::move(evaluations));
  const RecordedFeatures fitted = features_of(recording, fit.fitted_rows, simulations.how());
  const RecordedFeatures held_out = features_of(recording, fit.held_out_rows, simulations.how());
  fit.partial = options.stop.stop_requested();
  if (fit.partial) return fit;
  fit.recorded = fitted.mean();
  for (const ArrivalFamily& family : arrival_families()) {
    std::optional<FittedModel> model = FamilySearch(family, fitted, simulations).fitted(options.seed);
    const std::vector<Features> units = model ? simulations.to_judge(model->call) : std::vector<Features>();
    fit.partial = units.empty();
    if (fit.partial) return fit;
    judge(*model, held_out, units, options.seed);
    simulations.finish(fit.models.size());
    fit.models.push_back(std::move(*model));
  }
  return fit;
}

}  // namespace orderlab
