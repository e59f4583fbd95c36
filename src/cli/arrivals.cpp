// orderlab arrivals: features of recorded arrival orders beside those of models.
#include "orderlab/study/arrivals.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/arrival_rows.hpp"
#include "cli/one_order.hpp"
#include "cli/order_files.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "core/stop.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "study/arrivals_options.hpp"
#include "study/watched_stage.hpp"
#include "terms/npy_header.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kArrivalSources{.key = "sources",
                               .positional = true,
                               .kind = FlagKind::reads_file,
                               .value = "FILE|MODEL",
                               .help =
                                   "recorded arrival orders, one per row (text, bzip2, a capture, or a file of "
                                   "orderlab_capture --record), or an arrival model such as v100_b64; the "
                                   "first FILE is what the others are compared with",
                               .repeats = true,
                               .required = true,
                               .list = "arrivals"};
constexpr Flag kOrders{.key = "orders",
                       .kind = FlagKind::writes,
                       .value = "FILE.npy",
                       .help =
                           "write the orders drawn from the one MODEL: row i is run i, number t the thread block with "
                           "ticket t",
                       .group = "Output"};
constexpr auto kArrivalsFlags = joined(std::array{&kArrivalSources, &study::kGridBlocks, &study::kDraws, &study::kSms,
                                                  &study::kResident, &study::kArrivalsSeed, &kThreads},
                                       kOutputFlags, std::array{&kHtml, &kOrders});
constexpr const Options* kArrivalsTables[] = {&study::kArrivalsOptions};

/// Whether the text begins with the name of an arrival model, which a file of that name has to be written as ./NAME
/// for.
bool names_model(const std::string& text) {
  const std::string name = text.substr(0, text.find('('));
  const auto is_it = [&](const auto& known) { return known.name == name; };
  const auto models = arrival_models();
  return std::any_of(models.begin(), models.end(), [&](const ArrivalModel* model) { return is_it(*model); }) ||
         std::any_of(named_arrivals().begin(), named_arrivals().end(), is_it);
}

study::ArrivalSource source_of(const std::string& text, FileTable& files) {
  if (names_model(text)) {
    study::ArrivalSource source{.name = text, .model = parse_arrival(text)};
    read_files_of(*source.model, files);
    return source;
  }
  std::error_code failed;
  if (!std::filesystem::exists(text, failed))
    throw Error(ErrorKind::usage,
                text + ": neither a file nor an arrival model; `orderlab list arrivals` has the models");
  const LaunchedRows read = read_block_arrivals(text);
  study::ArrivalSource source{.name = text, .recording = read.rows};
  if (read.multiprocessors > 0 && read.resident > 0)
    source.first_wave = FirstWave{.sms = read.multiprocessors, .resident = read.resident};
  return source;
}

/// The model whose orders --orders writes.
const ArrivalCall& only_model(const CommandLine& line, const std::vector<study::ArrivalSource>& sources) {
  const auto models = std::count_if(sources.begin(), sources.end(), [](const auto& source) { return source.model; });
  if (models != 1)
    throw Error(ErrorKind::usage, line.quoted(kOrders) + ": writes the orders of one model, and " +
                                      (models == 0 ? "none is" : std::to_string(models) + " are") + " given");
  return *std::find_if(sources.begin(), sources.end(), [](const auto& source) { return source.model; })->model;
}

int run_arrivals(const CommandLine& line, Session& session) {
  study::ArrivalsRequest request;
  take(line, study::kArrivalsOptions, request);
  colored(line, session);
  const study::Watch watch = watch_of(session, line, "arrivals");
  std::vector<study::ArrivalSource> sources;
  for (const std::string& text : line.texts(kArrivalSources))
    sources.push_back(study::in_stage(watch, "reading " + text, [&] { return source_of(text, session.files); }));
  if (line.has(kOrders)) only_model(line, sources);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  const OutputTarget orders = targets.further(line, kOrders);
  const study::ArrivalsFinding finding = study::arrivals(sources, request, watch);
  if (finding.columns.empty()) return interrupted(session, "arrivals", "the first source was looked at");
  write_report(session, line, targets, finding);
  if (page.wanted()) page.write(session, html_page(finding));
  if (!orders.wanted() || finding.partial()) return finding.partial() ? kInterrupted : kDone;
  try {
    orders.write(session,
                 npy_of_rows(study::drawn_orders(only_model(line, sources), *finding.request.blocks, request, watch)));
  } catch (const Stopped&) {
    return interrupted(session, "arrivals", "the orders were written");
  }
  return kDone;
}

std::string notes_of_arrivals() {
  return "A file whose name is that of a model is written ./NAME.\n"
         "The exit status is 0 whether or not a model has the features of the recording.";
}

}  // namespace

extern const Command kArrivals;
const Command kArrivals{
    .name = "arrivals",
    .summary = "which arrival model has the features of recorded arrival orders?",
    .example = "orderlab arrivals orders.csv v100_b64 'drift(107,413)'",
    .flags = kArrivalsFlags,
    .options = kArrivalsTables,
    .run = run_arrivals,
    .notes = notes_of_arrivals,
};

}  // namespace orderlab::cli
