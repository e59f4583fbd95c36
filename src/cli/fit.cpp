// orderlab fit: arrival models from recorded arrival orders.
#include "orderlab/fit.hpp"

#include <memory>
#include <string>

#include "cli/arrival_rows.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "report/fit_csv.hpp"
#include "report/fit_json.hpp"
#include "report/fit_text.hpp"

namespace orderlab::cli {

namespace {

struct Options {
  std::string file;
  std::string held_out = "even";
  std::string seed = "1";
  std::string threads = "0";
  bool predict = false;
  std::string distribution = PredictOptions{}.distribution;
  std::string inputs = std::to_string(PredictOptions{}.inputs);
  std::string samples = std::to_string(PredictOptions{}.samples);
  OutputOptions output;
};

HeldOut parse_held_out(const std::string& text) {
  if (text == "even") return HeldOut::even;
  if (text == "odd") return HeldOut::odd;
  throw Error(ErrorKind::usage, "--holdout " + text + ": must be even or odd, counting the rows that are no outliers");
}

PredictOptions parse_prediction(const Options& options) {
  PredictOptions predict;
  predict.distribution = canonical_distribution(options.distribution);
  predict.inputs = parse_count("--inputs", options.inputs, 1, 1'000'000);
  predict.samples = parse_count("--samples", options.samples, 2, kMostSamples);
  predict.seed = parse_count("--seed", options.seed);
  predict.threads = parse_threads(options.threads);
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

void predict(FitReport& report, const Rows& recording, const Options& options, Session& session) {
  for (const FittedModel& model : report.fit.models) {
    ProgressBar bar(session, "inputs, " + std::string(model.call.model->name), !options.output.quiet);
    PredictOptions how = report.predicted;
    bar.follow(how);
    report.predictions.push_back(predict_sums(recording, report.fit, model, how));
    if (report.predictions.back().partial) return;
  }
}

int run(const Options& options, Session& session) {
  if (options.file.empty())
    throw Error(ErrorKind::usage, "no recording: give a file of arrival orders, one a row, such as orders.csv");
  FitReport report;
  report.path = options.file;
  report.held_out = parse_held_out(options.held_out);
  report.predict = options.predict;
  report.predicted = parse_prediction(options);
  report.seed = report.predicted.seed;
  options.output.colored(session);
  OutputTargets targets(options.output, {options.file});
  const std::shared_ptr<const Rows> recording = read_arrivals(options.file);
  report.hash = recording->hash;
  if (options.predict) require_prediction_memory(*recording, report.predicted);

  FitOptions how{.seed = report.seed, .held_out = report.held_out, .threads = report.predicted.threads};
  {
    ProgressBar bar(session, "simulations", !options.output.quiet);
    bar.follow(how);
    report.fit = fit_arrivals(*recording, how);
  }
  if (report.fit.models.empty()) {
    session.err << "orderlab: fit: interrupted before the first model was fitted\n";
    return kInterrupted;
  }
  if (options.predict && !report.fit.partial) predict(report, *recording, options, session);
  write_report(session, options.output, targets, report);
  if (report.partial()) return kInterrupted;
  return report.fit.best()->accepted() ? kDone : kExitNo;
}

}  // namespace

extern const Command kFit;
const Command kFit{
    .name = "fit",
    .summary = "arrival models from recorded arrival orders",
    .example = "orderlab fit orders.csv --predict",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      const auto flag = [&app](const char* name, std::string& text, const char* help, const char* type) {
        app.add_option(name, text, help)->type_name(type)->capture_default_str();
      };
      app.add_option("file", options->file,
                     "arrival orders, one a row: number k is the partial sum that came k-th (from 0); text, bzip2, or "
                     "a capture")
          ->type_name("FILE");
      flag("--holdout", options->held_out, "rows left out to judge by: even or odd, outliers not counted", "ROWS");
      app.add_flag("--predict", options->predict, "compare the sums that recorded and fitted orders give");
      flag("--dist", options->distribution, "distribution of the terms of --predict", "DIST");
      flag("--inputs", options->inputs, "inputs of --predict", "COUNT");
      flag("--samples", options->samples, "drawn orders of each input", "COUNT");
      flag("--seed", options->seed, "of simulations, resampling, terms and orders", "S");
      flag("--threads", options->threads, "threads, 0 for all; the results never depend on it", "COUNT");
      options->output.add_to(app);
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
