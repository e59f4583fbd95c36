#include "orderlab/study/fit.hpp"

#include <algorithm>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "engine/task_list.hpp"
#include "fit/families.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "study/fit_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

// Terms and evaluator of one input for every thread, and the sums of all inputs.
void require_prediction_memory(const Rows& recording, const PredictOptions& how) {
  const std::uint64_t n = predicted_terms(recording.rows.front().size());
  const double one =
      8.0 * static_cast<double>(n) + evaluator_memory_bytes(parse_order(kPredictedOrder), n, false, Formats{}, 1);
  const double sums = static_cast<double>(recording.rows.size()) + static_cast<double>(how.samples);
  require_memory(threads_used(how.threads) * one + 8.0 * static_cast<double>(how.inputs) * sums);
}

// Orders and displacements of a simulated recording for every model that is fitted at once, and of the recorded one.
void require_fit_memory(const Rows& recording, int threads) {
  constexpr double kLeastRuns = 64;
  const auto runs = static_cast<double>(recording.rows.size());
  const auto m = static_cast<double>(recording.rows.front().size());
  const double one = 8 * std::max(runs, kLeastRuns) * m;
  const double at_once = std::min<double>(threads_used(threads), static_cast<double>(arrival_families().size()));
  require_memory(at_once * one + 4 * runs * m);
}

void predict(FitFinding& finding, const Rows& recording, const Watch& watch) {
  for (const FittedModel& model : finding.fit.models) {
    const WatchedStage stage(watch, "inputs, " + std::string(model.call.model->name));
    PredictOptions how = finding.predicted;
    stage.follow(how);
    finding.predictions.push_back(predict_sums(recording, finding.fit, model, how));
    if (finding.predictions.back().partial) return;
  }
}

}  // namespace

FitFinding fit(const Rows& recording, const FitRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  kFitOptions.check(request);
  if (recording.rows.empty()) throw Error(ErrorKind::input, "a recording without rows: give arrival orders to fit to");
  FitFinding finding;
  finding.path = recording.path;
  finding.hash = recording.hash;
  finding.seed = request.seed;
  finding.wave = {.sms = request.sms.value_or(FirstWave{}.sms),
                  .resident = request.resident.value_or(FirstWave{}.resident)};
  finding.predict = request.predict;
  finding.predicted.distribution = canonical_distribution(request.distribution);
  finding.predicted.inputs = request.inputs;
  finding.predicted.samples = request.samples;
  finding.predicted.seed = request.seed;
  finding.predicted.threads = request.threads;
  require_fit_memory(recording, request.threads);
  if (request.predict) require_prediction_memory(recording, finding.predicted);
  {
    const WatchedStage stage(watch, "simulations");
    FitOptions how{.seed = request.seed, .folds = request.folds, .wave = finding.wave, .threads = request.threads};
    stage.follow(how);
    finding.fit = fit_arrivals(recording, how);
  }
  if (request.predict && !finding.fit.partial) predict(finding, recording, watch);
  return finding;
}

}  // namespace orderlab::study
