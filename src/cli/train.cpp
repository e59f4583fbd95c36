// orderlab train: what seed and order do to the training of a model.
#include "orderlab/study/train.hpp"

#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/order_files.hpp"
#include "cli/progress.hpp"
#include "cli/recorded.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "page/page_contents.hpp"
#include "study/train_options.hpp"
#include "study/watched_stage.hpp"
#include "sweep/record_store.hpp"

namespace orderlab::cli {

namespace {

using study::kData;
using study::kUnitArrival;

constexpr auto kTrainFlags =
    joined(std::array{&kData, &study::kNodes, &study::kClasses, &study::kGraphSeed},
           std::array{&study::kHidden, &study::kDropout, &study::kLearningRate, &study::kWeightDecay, &study::kEpochs},
           std::array{&study::kSeeds, &study::kOrdersOfSeed, &study::kFirstSeedOfTraining, &study::kTrainEvaluations},
           std::array{&kUnitArrival, &kGpu, &kShard, &kThreads}, kOutputFlags, std::array{&kHtml, &kRecords});
constexpr const Options* kTrainTables[] = {&study::kTrainOptions, &study::kGraphOptions};

study::TrainingInput load_graph(const CommandLine& line, FileTable& files, const study::Watch& watch) {
  if (!line.has(kData)) {
    Communities what;
    take(line, study::kGraphOptions, what);
    what.features = std::max(what.features, what.classes);
    return study::training_input(what, watch);
  }
  for (const Flag* flag : {&study::kNodes, &study::kClasses, &study::kGraphSeed})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about the generated graph, but the graph comes from " +
                                        line.quoted(kData) + "; leave one of them out");
  for (const std::string& file : graph_files(line.text(kData))) files.reads(file);
  return study::in_stage(watch, "reading the graph",
                         [&] { return study::training_input(read_graph(line.text(kData))); });
}

study::TrainRequest train_request(const CommandLine& line, FileTable& files) {
  study::TrainRequest request;
  take(line, study::kTrainOptions, request);
  read_files_of(parse_arrival(request.arrival), files);
  request.device = parse_device(line.text(kGpu));
  validate(request);
  return request;
}

std::string key_of(const study::TrainFinding& question) { return record_key(record_config(question)); }

auto taking_fitting(const study::TrainRequest& request, std::map<std::uint64_t, study::SeedRecord>& known) {
  return [&](std::uint64_t seed, const std::string& text) {
    study::SeedRecord record = seed_record(text);
    const bool of_use = fits(record, seed, request);
    if (of_use) known.emplace(seed, std::move(record));
    return of_use;
  };
}

std::optional<study::TrainFinding> find(const CommandLine& line, Session& session, const study::TrainRequest& request,
                                        RecordStore* store, const study::Watch& watch) {
  const study::TrainingInput input = load_graph(line, session.files, watch);
  study::TrainRecords records;
  if (store != nullptr) {
    study::TrainFinding question;
    question.input = input.facts;
    question.request = canonical(request);
    const std::string config = key_of(question);
    read_records(*store, config, session, taking_fitting(request, records.known));
    records.done = [store, config](const study::SeedRecord& record) {
      store->keep(config, record.seed, record_text(record));
    };
  }
  return train(input, request, records, watch);
}

// A seed is one run, whatever seeds are beside it.
int train_part(const CommandLine& line, Session& session, study::TrainRequest request, const Shard& part) {
  const auto [first, end] = range_of(part, request.seeds);
  request.seed += first;
  request.seeds = end - first;
  const std::unique_ptr<RecordStore> store = record_store_of(line, session);
  const auto finding = find(line, session, request, store.get(), watch_of(session, line, "train"));
  return report_part(line, session, "train", finding && !finding->partial);
}

int run_train(const CommandLine& line, Session& session) {
  const study::TrainRequest request = train_request(line, session.files);
  colored(line, session);
  if (const auto part = part_of_runs(line, request.seeds)) return train_part(line, session, request, *part);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
  const std::unique_ptr<RecordStore> store = record_store_of(line, session);
  const auto finding = find(line, session, request, store.get(), watch_of(session, line, "train"));
  if (!finding) return interrupted(session, "train", "the runs of the first seed were done");
  const InPhase reporting(session, Phase::reporting);
  write_report(session, line, targets, *finding);
  if (page.wanted()) page.write(session, html_page(*finding));
  return finding->partial ? kInterrupted : kDone;
}

std::optional<RecordedAnswer> recorded_training(const CommandLine& line, Session& session, RecordStore& store,
                                                const study::Watch& watch) {
  const auto finding = find(line, session, train_request(line, session.files), &store, watch);
  if (!finding) return std::nullopt;
  return RecordedAnswer{finding->partial, page_content(*finding)};
}

std::optional<RecordedAnswer> known_training(const Json& about, const RecordStore& store,
                                             const std::function<void(std::uint64_t)>& unusable) {
  study::TrainFinding question = train_question_from(about);
  std::map<std::uint64_t, study::SeedRecord> known;
  read_records(store, key_of(question), taking_fitting(question.request, known), unusable);
  const auto finding = training_finding(std::move(question), std::move(known));
  if (!finding) return std::nullopt;
  return RecordedAnswer{finding->partial, page_content(*finding)};
}

Json about_training(const CommandLine& line, Session& session) {
  const study::TrainRequest request = train_request(line, session.files);
  return question_json(training_question(load_graph(line, session.files, watch_of(session, line, "train")), request));
}

constexpr RecordedCommand kRecordedTrain{about_training, recorded_training, known_training};

}  // namespace

extern const Command kTrain;
const Command kTrain{
    .name = "train",
    .summary = "train a model with several seeds and orders: which of them moves the score, and how far",
    .example = "orderlab train --seeds 4 --orders 3 --epochs 5",
    .flags = kTrainFlags,
    .options = kTrainTables,
    .run = run_train,
    .recorded = &kRecordedTrain,
};

}  // namespace orderlab::cli
