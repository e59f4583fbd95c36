// orderlab fit: arrival models from recorded arrival orders.
#include "orderlab/study/fit.hpp"

#include <memory>
#include <string>

#include "cli/arrival_rows.hpp"
#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/fit_operation.hpp"
#include "orderlab/terms.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kHeldOutWords[] = {"even", "odd"};

constexpr Flag kFile{.name = "file",
                     .kind = FlagKind::reads_file,
                     .value = "FILE",
                     .help =
                         "arrival orders, one per row: number k is the partial sum that came k-th (from 0); text, "
                         "bzip2, or a capture; with --op a table of Vc by size, CSV with columns n, R, vc_mean, vc_sd",
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
constexpr Flag kFitOp{.name = "--op",
                      .value = "OPERATION",
                      .help = "fit to a table of Vc of this operation instead, such as index_add",
                      .names = [] { return names_in("operations"); }};
constexpr Flag kSplit{.name = "--split",
                      .kind = FlagKind::count,
                      .value = "N",
                      .fallback = "500",
                      .help = "with --op: fitted to sizes up to N and judged above, and the other way round"};
constexpr auto kFitFlags = joined(
    std::array{&kFitOp, &kSplit, &kGpu},
    std::array{&kFile, &kHoldout, &kPredict, &kPredictDistribution, &kFitInputs, &kFitSamples, &kFitSeed, &kThreads},
    kOutputFlags);

int run_fit_operation(const CommandLine& line, Session& session) {
  for (const Flag* flag : {&kHoldout, &kPredict, &kPredictDistribution})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about recorded arrival orders; leave it out with --op");
  study::OperationFitRequest request;
  request.operation = to_string(parse_operation(line.text(kFitOp)));
  request.device = parse_device(line.text(kGpu));
  if (line.text(kFile).empty()) throw Error(ErrorKind::usage, "no table: give a CSV file with columns n, R, vc_mean");
  request.split = line.count(kSplit, 1);
  if (line.has(kFitInputs)) request.inputs = line.count(kFitInputs, 1, 1000);
  if (line.has(kFitSamples)) request.samples = line.count(kFitSamples, 2, 100'000);
  request.seed = line.count(kFitSeed);
  request.threads = threads_of(line);
  colored(line, session);
  OutputTargets targets(line);
  request.table = study::read_vc_table(line.text(kFile));
  const study::OperationFitFinding finding = fit_operation(request, watch_of(session, line, "fit"));
  if (finding.small.empty()) return interrupted(session, "fit", "the first model was fitted");
  write_report(session, line, targets, finding);
  return finding.partial ? kInterrupted : kDone;
}

int run_fit(const CommandLine& line, Session& session) {
  if (line.has(kFitOp)) return run_fit_operation(line, session);
  for (const Flag* flag : {&kSplit, &kGpu})
    if (line.has(*flag)) throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about a table of Vc; add --op NAME");
  const std::string& file = line.text(kFile);
  if (file.empty())
    throw Error(ErrorKind::usage, "no recording: give a file of arrival orders, one a row, such as orders.csv");
  const study::FitRequest request{
      .held_out = line.word(kHoldout) == "odd" ? HeldOut::odd : HeldOut::even,
      .predict = line.has(kPredict),
      .distribution = canonical_distribution(line.text(kPredictDistribution)),
      .inputs = line.count(kFitInputs, 1, 1'000'000),
      .samples = line.count(kFitSamples, 2, kMostSamples),
      .seed = line.count(kFitSeed),
      .threads = threads_of(line),
  };
  colored(line, session);
  OutputTargets targets(line);
  const study::Watch watch = watch_of(session, line, "fit");
  const auto recording = study::in_stage(watch, "reading the recording", [&] { return read_arrivals(file); });
  const study::FitFinding finding = study::fit(*recording, request, watch);
  if (finding.fit.models.empty()) return interrupted(session, "fit", "the first model was fitted");
  write_report(session, line, targets, finding);
  if (finding.partial()) return kInterrupted;
  return finding.fit.best()->accepted() ? kDone : kExitNo;
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
