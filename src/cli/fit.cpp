// orderlab fit: arrival models from recorded arrival orders.
#include "orderlab/study/fit.hpp"

#include <array>
#include <memory>
#include <string>

#include "cli/arrival_rows.hpp"
#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "orderlab/terms.hpp"
#include "study/fit_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::cli {

namespace {

using study::kFolds;
using study::kPredict;
using study::kSplit;

constexpr Flag kFile{.key = "file",
                     .positional = true,
                     .kind = FlagKind::reads_file,
                     .value = "FILE",
                     .help =
                         "arrival orders, one per row: number k is the partial sum that came k-th (from 0); text, "
                         "bzip2, a capture, or a file of orderlab_capture --record; with --op a table of Vc by size, "
                         "CSV with columns n, R, vc_mean, vc_sd",
                     .required = true};
constexpr Flag kFitOp{.key = "op",
                      .value = "OPERATION",
                      .help = "fit to a table of Vc of this operation instead, such as index_add",
                      .list = "operations"};
constexpr auto kFitFlags = joined(
    std::array{&kFitOp, &kSplit, &kGpu},
    std::array{&kFile, &kArrivalUnit, &kFolds, &study::kSms, &study::kResident, &kPredict, &study::kPredictDistribution,
               &study::kFitInputs, &study::kFitSamples, &study::kFitSeed, &kThreads},
    kOutputFlags);
constexpr const Options* kFitTables[] = {&study::kFitOptions, &study::kFitOperationOptions};

int run_fit_operation(const CommandLine& line, Session& session) {
  for (const Flag* flag :
       {&kArrivalUnit, &kFolds, &study::kSms, &study::kResident, &kPredict, &study::kPredictDistribution})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about recorded arrival orders; leave it out with --op");
  study::OperationFitRequest request;
  request.operation = to_string(parse_operation(line.text(kFitOp)));
  request.device = parse_device(line.text(kGpu));
  if (line.text(kFile).empty()) throw Error(ErrorKind::usage, "no table: give a CSV file with columns n, R, vc_mean");
  take(line, study::kFitOperationOptions, request);
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
  study::FitRequest request;
  take(line, study::kFitOptions, request);
  request.distribution = canonical_distribution(request.distribution);
  colored(line, session);
  OutputTargets targets(line);
  const study::Watch watch = watch_of(session, line, "fit");
  const LaunchedRows recording =
      study::in_stage(watch, "reading the recording", [&] { return read_arrivals(file, arrival_unit(line)); });
  if (recording.multiprocessors > 0 && recording.resident > 0) {
    if (!request.sms) request.sms = recording.multiprocessors;
    if (!request.resident) request.resident = recording.resident;
  }
  const study::FitFinding finding = study::fit(*recording.rows, request, watch);
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
    .options = kFitTables,
    .run = run_fit,
};

}  // namespace orderlab::cli
