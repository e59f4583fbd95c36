// orderlab fit: arrival models from recorded arrival orders.
#include "orderlab/fit.hpp"

#include <memory>
#include <string>

#include "cli/arrival_rows.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kHeldOutWords[] = {"even", "odd"};

constexpr Flag kFile{.name = "file",
                     .kind = FlagKind::reads_file,
                     .value = "FILE",
                     .help =
                         "arrival orders, one per row: number k is the partial sum that came k-th (from 0); text, "
                         "bzip2, or a capture",
                     .required = true};
constexpr Flag kHoldout{.name = "--holdout",
                        .kind = FlagKind::word,
                        .value = "ROWS",
                        .fallback = "even",
                        .help = "rows left out to judge by: even or odd, outliers not counted",
                        .words = kHeldOutWords};
constexpr Flag kPredict{
    .name = "--predict", .kind = FlagKind::toggle, .help = "compare the sums that recorded and fitted orders give"};
constexpr Flag kPredictDistribution{.name = "--dist",
                                    .value = "DIST",
                                    .fallback = "uniform(0,10)",
                                    .help = "distribution of the terms of --predict",
                                    .names = [] { return names_in("distributions"); }};
constexpr Flag kFitInputs{
    .name = "--inputs", .kind = FlagKind::count, .value = "COUNT", .fallback = "20", .help = "inputs of --predict"};
constexpr Flag kFitSamples{.name = "--samples",
                           .kind = FlagKind::count,
                           .value = "COUNT",
                           .fallback = "400",
                           .help = "drawn orders of each input"};
constexpr Flag kFitSeed{.name = "--seed",
                        .kind = FlagKind::count,
                        .value = "COUNT",
                        .fallback = "1",
                        .help = "seed of simulations, resampling, terms and orders"};
constexpr auto kFitFlags = joined(
    std::array{&kFile, &kHoldout, &kPredict, &kPredictDistribution, &kFitInputs, &kFitSamples, &kFitSeed, &kThreads},
    kOutputFlags);

PredictOptions parse_prediction(const CommandLine& line) {
  PredictOptions predict;
  predict.distribution = canonical_distribution(line.text(kPredictDistribution));
  predict.inputs = line.count(kFitInputs, 1, 1'000'000);
  predict.samples = line.count(kFitSamples, 2, kMostSamples);
  predict.seed = line.count(kFitSeed);
  predict.threads = threads_of(line);
  return predict;
}

// Terms and evaluator of one input for every thread, and the sums of all inputs.
void require_prediction_memory(const Rows& recording, const PredictOptions& how) {
  const std::uint64_t n = predicted_terms(recording.rows.front().size());
  const double one =
      8.0 * static_cast<double>(n) + evaluator_memory_bytes(parse_order(kPredictedOrder), n, false, Formats{}, 1);
  const double sums = static_cast<double>(recording.rows.size()) + static_cast<double>(how.samples);
  require_memory(threads_used(how.threads) * one + 8.0 * static_cast<double>(how.inputs) * sums);
}

void predict(study::FitFinding& report, const Rows& recording, bool progress, Session& session) {
  for (const FittedModel& model : report.fit.models) {
    ProgressBar bar(session, "inputs, " + std::string(model.call.model->name), progress);
    PredictOptions how = report.predicted;
    bar.follow(how);
    report.predictions.push_back(predict_sums(recording, report.fit, model, how));
    if (report.predictions.back().partial) return;
  }
}

int run_fit(const CommandLine& line, Session& session) {
  const std::string& file = line.text(kFile);
  if (file.empty())
    throw Error(ErrorKind::usage, "no recording: give a file of arrival orders, one a row, such as orders.csv");
  const bool progress = !line.has(kQuiet);
  study::FitFinding report;
  report.path = file;
  report.held_out = line.word(kHoldout) == "odd" ? HeldOut::odd : HeldOut::even;
  report.predict = line.has(kPredict);
  report.predicted = parse_prediction(line);
  report.seed = report.predicted.seed;
  colored(line, session);
  OutputTargets targets(line);
  const std::shared_ptr<const Rows> recording = read_arrivals(file);
  report.hash = recording->hash;
  if (report.predict) require_prediction_memory(*recording, report.predicted);

  FitOptions how{.seed = report.seed, .held_out = report.held_out, .threads = report.predicted.threads};
  {
    ProgressBar bar(session, "simulations", progress);
    bar.follow(how);
    report.fit = fit_arrivals(*recording, how);
  }
  if (report.fit.models.empty()) {
    session.err << "orderlab: fit: interrupted before the first model was fitted\n";
    return kInterrupted;
  }
  if (report.predict && !report.fit.partial) predict(report, *recording, progress, session);
  write_report(session, line, targets, report);
  if (report.partial()) return kInterrupted;
  return report.fit.best()->accepted() ? kDone : kExitNo;
}

}  // namespace

extern const Command kFit;
const Command kFit{
    .name = "fit",
    .summary = "arrival models from recorded arrival orders",
    .example = "orderlab fit orders.csv --predict",
    .flags = kFitFlags,
    .run = run_fit,
};

}  // namespace orderlab::cli
