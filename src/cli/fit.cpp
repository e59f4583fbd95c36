// orderlab fit: arrival models from recorded arrival orders.
#include "orderlab/study/fit.hpp"

#include <memory>
#include <string>

#include "cli/arrival_rows.hpp"
#include "cli/one_order.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
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

int run_fit(const CommandLine& line, Session& session) {
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
  const std::shared_ptr<const Rows> recording = read_arrivals(file);
  const study::FitFinding finding = study::fit(*recording, request, watch_of(session, line, "fit"));
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
