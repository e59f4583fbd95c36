// The fields of `train`. Longer than most files: what is asked, what is kept of a seed and what is found share their
// fields.
#include "show/train_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "show/train.hpp"
#include "study/train_options.hpp"
#include "training/dense_product.hpp"

namespace orderlab::described {

namespace {

using study::MarginBin;
using study::RunDifference;
using study::ScoreOfEpoch;
using study::SeedRecord;
using study::TrainEpoch;
using study::TrainFinding;
using study::TrainingFacts;
using study::TrainRequest;
namespace k = kinds;

// ---- what is asked

constexpr Field kCommunitiesFields[] = {
    value<&Communities::nodes>(study::kNodes, k::kSome),
    value<&Communities::classes>(study::kClasses, k::kSome),
    value<&Communities::features>("features", k::kSome, "Number of features"),
    value<&Communities::degree>("degree", k::kFraction, "Mean number of edges into a node"),
    value<&Communities::features_each>("features_each", k::kFraction, "Mean number of features that a node draws"),
    value<&Communities::own>("own", k::kProbability, "Share of edges and features drawn from the node's own community"),
    value<&Communities::train_each>("train_each", k::kCount, "Number of training nodes of each class"),
    value<&Communities::seed>("seed", k::kCount, "Seed of the graph"),
};
constexpr TableOf<Communities> kCommunities{{.key = "communities",
                                             .title = "Communities",
                                             .help = "Parameters of a generated graph.",
                                             .fields = kCommunitiesFields}};

template <auto member>
constexpr auto kOfTraining = kThrough<&TrainFinding::request, member>;
template <auto member>
constexpr auto kOfModel = kThrough<&TrainFinding::request, &TrainRequest::model, member>;

constexpr Field kTrainRecordConfigFields[] = {
    either<kThrough<&TrainFinding::input, &TrainingFacts::communities>,
           kThrough<&TrainFinding::input, &TrainingFacts::hash>>(
        "graph", kCommunities, k::kHash, "Parameters of a generated graph, or the hash of a given one"),
    value<kOfModel<&GraphSageOptions::hidden>>(study::kHidden, k::kSome),
    value<kOfModel<&GraphSageOptions::dropout>>(study::kDropout, k::kProbability),
    value<kOfModel<&GraphSageOptions::learning_rate>>(study::kLearningRate, k::kFraction),
    value<kOfModel<&GraphSageOptions::weight_decay>>(study::kWeightDecay, k::kFraction),
    value<kOfTraining<&TrainRequest::epochs>>(study::kEpochs, k::kSome),
    value<kOfTraining<&TrainRequest::orders>>(study::kOrdersOfSeed, k::kSome),
    value<kOfTraining<&TrainRequest::evaluations>>(study::kTrainEvaluations, k::kCount),
    value<kOfTraining<&TrainRequest::arrival>>("arrival", k::kText, "Arrival model of the thread blocks of index_add"),
    value<kThrough<&TrainFinding::request, &TrainRequest::device, &Device::name>>("gpu", k::kText,
                                                                                  "GPU that the launch is made for"),
    value("dense_products", k::kText, "Library and version that multiply dense matrices; their bits depend on it",
          [](const TrainFinding&) { return dense_product_version(); }),
};
constexpr TableOf<TrainFinding> kTrainRecordConfig{{.key = "record_config",
                                                    .title = "Training record config",
                                                    .help = "What decides every number of a seed's record.",
                                                    .fields = kTrainRecordConfigFields}};

constexpr Field kTrainConfigFields[] = {
    merged(kTrainRecordConfig),
    value<kOfTraining<&TrainRequest::seed>>(study::kFirstSeedOfTraining, k::kCount),
    value<kOfTraining<&TrainRequest::seeds>>(study::kSeeds, k::kSome),
};
constexpr TableOf<TrainFinding> kTrainConfig{
    {.key = "config", .title = "Training config", .help = kConfigSentence, .fields = kTrainConfigFields}};

constexpr Field kGraphFields[] = {
    value<&TrainingFacts::hash>("hash", k::kHash, "Hash of the graph"),
    value<&TrainingFacts::nodes>("nodes", k::kSome, "Number of nodes"),
    value<&TrainingFacts::edges>("edges", k::kCount, "Number of edges"),
    value<&TrainingFacts::features>("features", k::kCount, "Number of features"),
    value<&TrainingFacts::classes>("classes", k::kSome, "Number of classes"),
    value<&TrainingFacts::train>("train", k::kCount, "Number of training nodes"),
    value<&TrainingFacts::validation>("validation", k::kCount, "Number of validation nodes"),
    value<&TrainingFacts::test>("test", k::kCount, "Number of test nodes"),
};
constexpr TableOf<TrainingFacts> kGraph{
    {.key = "graph", .title = "Graph", .help = "The graph that is trained on.", .fields = kGraphFields}};

constexpr Field kTrainConfigPart = group("config", kTrainConfig);
constexpr Field kGraphPart = part<&TrainFinding::input>("input", kGraph);
constexpr Field kKernel = value<kThrough<&TrainFinding::launch, &Launch::kernel>>(
    "kernel", k::kText, "Kernel of the index_add of the second layer");

constexpr Field kTrainQuestionFields[] = {
    kTrainConfigPart,
    kGraphPart,
    kKernel,
    value<&TrainFinding::varies>("varies", k::kTruth, "Whether some arrival order may change one of its sums"),
};
constexpr TableOf<TrainFinding> kTrainQuestion{{.key = "question",
                                                .title = "Training question",
                                                .help = "What a finding is about.",
                                                .fields = kTrainQuestionFields}};

// ---- the runs of a seed, as they are kept too

/// Training ends where one is not finite.
constexpr Kind kScore{k::kNumber.holds, k::kNumber.schema, {}, k::kFinite.accepts};

/// Lists of lists of one member of their elements.
template <auto member>
constexpr Field kColumnElementFields[] = {itself<member>(kScore)};
template <class T, auto member>
constexpr TableOf<T> kColumnElement{
    {.key = "number", .title = "Number", .help = "A number.", .fields = kColumnElementFields<member>}};
template <class T, auto member>
constexpr Field kColumnRunFields[] = {itself<std::vector<T>>(kColumnElement<T, member>, {})};
template <class T, auto member>
constexpr TableOf<std::vector<T>> kColumnRun{
    {.key = "numbers", .title = "Numbers", .help = "Numbers.", .fields = kColumnRunFields<T, member>}};

template <auto member>
consteval Field scores(std::string_view name, std::string_view help) {
  return part<&SeedRecord::scores>(name, kColumnRun<EpochScores, member>, help);
}
template <auto member>
consteval Field differences(std::string_view name, std::string_view help) {
  return part<&SeedRecord::differences>(name, kColumnRun<RunDifference, member>, help);
}

constexpr Field kMarginCountsFields[] = {
    value<&MarginBin::nodes>("nodes", k::kCount, "Number of nodes"),
    value<&MarginBin::flipping>("nodes_that_change", k::kCount, "Number of nodes that change"),
    value<&MarginBin::flips>("changes", k::kCount, "Number of changes"),
};
constexpr TableOf<MarginBin> kMarginCounts{{.key = "margin_counts",
                                            .title = "Margin counts",
                                            .help = "Counts of a bin.",
                                            .fields = kMarginCountsFields,
                                            .form = Form::numbers}};

constexpr Field kSeedRecordFields[] = {
    value<&SeedRecord::seed>("seed", k::kCount, "The seed"),
    scores<&EpochScores::loss>("loss", "Loss: a list for each run, with a number for each epoch"),
    scores<&EpochScores::train_accuracy>("train_accuracy", "Accuracy on the training nodes, likewise"),
    scores<&EpochScores::validation_accuracy>("validation_accuracy", "Accuracy on the validation nodes, likewise"),
    scores<&EpochScores::test_accuracy>("test_accuracy", "Accuracy on the test nodes, likewise"),
    differences<&RunDifference::weights>("weights_differ",
                                         "Share of the weights whose bits differ from the first run: a list for each "
                                         "run but the first, with a number for each epoch"),
    differences<&RunDifference::distance>("weight_distance", "|w - w'| / |w|, likewise"),
    differences<&RunDifference::predictions>("predictions_differ",
                                             "Share of the nodes that are given another class, likewise"),
    part<&SeedRecord::margins>(
        "margins", kMarginCounts,
        "For each bin of inference.by_margin the numbers of nodes, of nodes that change, and of changes"),
};
constexpr TableOf<SeedRecord> kSeedRecord{
    {.key = "seed_record", .title = "Seed runs", .help = "The runs of one seed.", .fields = kSeedRecordFields}};

// ---- what was found

constexpr std::string_view kNotSaid = "where the runs do not say it";
constexpr std::string_view kNoLimit = "where there is none";
constexpr std::string_view kSingleSeed = "for a single seed";
constexpr std::string_view kLowerLimit = "Lower limit of its 95 % interval";
constexpr std::string_view kUpperLimit = "Upper limit of its 95 % interval";

template <auto member>
constexpr auto kOfComponents = kThrough<&ScoreOfEpoch::components, member>;

/// A limit of an estimate that there may be.
template <auto limit>
std::optional<double> limit_of(const std::optional<SdEstimate>& estimate) {
  return estimate ? (*estimate).*limit : std::nullopt;
}

constexpr Field kScoreFields[] = {
    value<kOfComponents<&VarianceComponents::mean>>("mean", k::kNumber, "Mean of the means of the seeds"),
    value<kOfComponents<&VarianceComponents::mean_low>>("low", k::kNumber, kLowerLimit, {.null = kSingleSeed}),
    value<kOfComponents<&VarianceComponents::mean_high>>("high", k::kNumber, kUpperLimit, {.null = kSingleSeed}),
    value<kOfComponents<&VarianceComponents::sd>>("sd", k::kMagnitude, "Standard deviation of all runs",
                                                  {.null = "for a single run"}),
    value("sd_seed", k::kMagnitude, "Standard deviation by the seed",
          [](const ScoreOfEpoch& s) { return sd_of(s.components.seed); }, {.null = kNotSaid}),
    value("sd_seed_low", k::kMagnitude, kLowerLimit,
          [](const ScoreOfEpoch& s) { return limit_of<&SdEstimate::low>(s.components.seed); }, {.null = kNoLimit}),
    value("sd_seed_high", k::kMagnitude, kUpperLimit,
          [](const ScoreOfEpoch& s) { return limit_of<&SdEstimate::high>(s.components.seed); }, {.null = kNoLimit}),
    value("sd_order", k::kMagnitude, "Standard deviation by order",
          [](const ScoreOfEpoch& s) { return sd_of(s.components.order); }, {.null = "where no seed has two runs"}),
    value("sd_order_low", k::kMagnitude, kLowerLimit,
          [](const ScoreOfEpoch& s) { return limit_of<&SdEstimate::low>(s.components.order); }, {.null = kNoLimit}),
    value("sd_order_high", k::kMagnitude, kUpperLimit,
          [](const ScoreOfEpoch& s) { return limit_of<&SdEstimate::high>(s.components.order); }, {.null = kNoLimit}),
    value<kOfComponents<&VarianceComponents::order_difference>>(
        "order_difference", k::kMagnitude,
        "With confidence 95 %, 95 % of all pairs of runs of one seed differ by at most this", {.null = kNotSaid}),
    value<kOfComponents<&VarianceComponents::seed_difference>>(
        "seed_difference", k::kMagnitude, "The same of pairs of runs of two seeds", {.null = kNotSaid}),
    value<kThrough<&ScoreOfEpoch::components, &VarianceComponents::differing, &DifferingPairs::pairs>>(
        "pairs", k::kCount, "Number of pairs of runs of one seed that have no run in common"),
    value<kThrough<&ScoreOfEpoch::components, &VarianceComponents::differing, &DifferingPairs::differing>>(
        "pairs_that_differ", k::kCount, "Number of these that differ"),
    value<kThrough<&ScoreOfEpoch::components, &VarianceComponents::differing, &DifferingPairs::high_share>>(
        "pairs_differ_high", k::kProbability, "Upper 95 % limit of the probability that such a pair differs",
        {.null = "without pairs"}),
    value<&ScoreOfEpoch::least>("least", k::kNumber, "Least of all runs"),
    value<&ScoreOfEpoch::greatest>("greatest", k::kNumber, "Greatest of all runs"),
};
constexpr TableOf<ScoreOfEpoch> kScoreOfEpoch{
    {.key = "score", .title = "Score", .help = "A score after an epoch, over all runs.", .fields = kScoreFields}};

constexpr Field kDifferenceFields[] = {
    value<&RunSummary::mean>("mean", k::kMagnitude, "Mean"),
    value<&RunSummary::max>("greatest", k::kMagnitude, "Greatest"),
};
constexpr TableOf<RunSummary> kDifference{{.key = "difference",
                                           .title = "Run difference",
                                           .help = "A difference from the first run of the seed, over all other runs.",
                                           .fields = kDifferenceFields}};

constexpr Field kEpochScoresFields[] = {
    value<&TrainEpoch::epoch>("epoch", k::kSome, "Number of the epoch, from 1"),
    part<&TrainEpoch::loss>("loss", kScoreOfEpoch, "Loss of the training step"),
    part<&TrainEpoch::train_accuracy>("train_accuracy", kScoreOfEpoch, "Accuracy on the training nodes"),
    part<&TrainEpoch::validation_accuracy>("validation_accuracy", kScoreOfEpoch, "Accuracy on the validation nodes"),
    part<&TrainEpoch::test_accuracy>("test_accuracy", kScoreOfEpoch, "Accuracy on the test nodes"),
};
constexpr TableOf<TrainEpoch> kEpochScores{
    {.key = "epoch_scores", .title = "Epoch", .help = "Scores after an epoch.", .fields = kEpochScoresFields}};

/// An epoch; differences are there where seeds have several runs.
struct EpochRow {
  const TrainEpoch& epoch;
  bool several;

  std::optional<RunSummary> difference(RunSummary TrainEpoch::*of) const {
    return several ? std::optional(epoch.*of) : std::nullopt;
  }
};
constexpr More kOneRun{.absent = "for one run of each seed"};
constexpr Field kEpochFields[] = {
    merged([](const EpochRow& r) -> const TrainEpoch& { return r.epoch; }, kEpochScores),
    part(
        "weights_differ", kDifference, "Share of the weights whose bits differ from the first run of the seed",
        [](const EpochRow& r) { return r.difference(&TrainEpoch::weights_differ); }, kOneRun),
    part(
        "weight_distance", kDifference, "|w - w'| / |w|, w the weights of the first run of the seed",
        [](const EpochRow& r) { return r.difference(&TrainEpoch::weight_distance); }, kOneRun),
    part(
        "predictions_differ", kDifference,
        "Share of the nodes that are given another class than in the first run of the seed",
        [](const EpochRow& r) { return r.difference(&TrainEpoch::predictions_differ); }, kOneRun),
};
constexpr TableOf<EpochRow> kEpoch{
    {.key = "epoch",
     .title = "Epoch",
     .help = "Scores after an epoch.",
     .fields = kEpochFields,
     .rules = R"({"dependentRequired": {"weights_differ": ["weight_distance", "predictions_differ"]}})"}};

std::vector<EpochRow> epoch_rows(const TrainFinding& finding) {
  std::vector<EpochRow> rows;
  for (const TrainEpoch& epoch : finding.by_epoch) rows.push_back({epoch, finding.request.orders > 1});
  return rows;
}

constexpr Field kMarginBinFields[] = {
    value<&MarginBin::low>("low", k::kFraction, "Lower end, excluded but in the first bin"),
    value<&MarginBin::high>("high", k::kMagnitude, "Upper end, included"),
    value<&MarginBin::nodes>("nodes", k::kCount, "Number of nodes, over all seeds"),
    value<&MarginBin::flipping>("nodes_that_change", k::kCount,
                                "Number of nodes that some evaluation gives another class than launch order does"),
    value<&MarginBin::flips>("changes", k::kCount, "Number of pairs of node and evaluation of which that is so"),
};
constexpr TableOf<MarginBin> kMarginBin{{.key = "margin_bin",
                                         .title = "Margin bin",
                                         .help = "Nodes with a margin in an interval.",
                                         .fields = kMarginBinFields}};

constexpr Field kInferenceFields[] = {
    value<kOfTraining<&TrainRequest::evaluations>>("evaluations", k::kCount, "Number of evaluations of each model"),
    part<&TrainFinding::margins>("by_margin", kMarginBin,
                                 "Nodes by their margin: greatest log probability less the second"),
};
constexpr TableOf<TrainFinding> kInference{
    {.key = "inference",
     .title = "Inference",
     .help = "Evaluations of the first trained model of each seed, each in an order of its own.",
     .fields = kInferenceFields}};

/// A run after an epoch.
struct TrainRow {
  std::uint64_t seed, order, epoch;
  EpochScores scores;
  RunDifference difference;  ///< 0 for the first run
};
template <auto member>
consteval Field score_cell(std::string_view name, std::string_view help) {
  return value<kThrough<&TrainRow::scores, member>>(name, kScore, help, {.where = Where::csv});
}
template <auto member>
consteval Field difference_cell(std::string_view name, std::string_view help) {
  return value<kThrough<&TrainRow::difference, member>>(name, kScore, help, {.where = Where::csv});
}
constexpr Field kTrainRowFields[] = {
    value<&TrainRow::seed>("seed", k::kCount, "The seed", {.where = Where::csv}),
    value<&TrainRow::order>("order", k::kCount, "Number of the run of the seed, from 0", {.where = Where::csv}),
    value<&TrainRow::epoch>("epoch", k::kSome, "Number of the epoch, from 1", {.where = Where::csv}),
    score_cell<&EpochScores::loss>("loss", "Loss of the training step"),
    score_cell<&EpochScores::train_accuracy>("train_accuracy", "Accuracy on the training nodes"),
    score_cell<&EpochScores::validation_accuracy>("validation_accuracy", "Accuracy on the validation nodes"),
    score_cell<&EpochScores::test_accuracy>("test_accuracy", "Accuracy on the test nodes"),
    difference_cell<&RunDifference::weights>("weights_differ", "Share of the weights whose bits differ"),
    difference_cell<&RunDifference::distance>("weight_distance", "|w - w'| / |w|"),
    difference_cell<&RunDifference::predictions>("predictions_differ", "Share of the nodes of another class"),
};
constexpr TableOf<TrainRow> kTrainRow{
    {.key = "row", .title = "Training row", .help = "A run after an epoch.", .fields = kTrainRowFields}};

constexpr Field kTrainFields[] = {
    head<TrainFinding>(),
    command<TrainFinding>(R"("train")"),
    kTrainConfigPart,
    partial<&TrainFinding::partial>(),
    kGraphPart,
    kKernel,
    part("epochs", kEpoch, "Scores by epoch", [](const TrainFinding& f) { return epoch_rows(f); }),
    group("inference", kInference),
    part<&TrainFinding::seeds>("seeds", kSeedRecord, "The runs of each seed"),
};

}  // namespace

constexpr TableOf<TrainFinding> kTrainDocument{
    {.key = "train",
     .title = "Training",
     .help = "Written by `orderlab train --json`: how much of the spread of a score comes from the seed, and how much "
             "from order.",
     .fields = kTrainFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::TrainFinding& finding) {
  return json_document(to_json(described::kTrainDocument, finding));
}

std::string to_csv(const study::TrainFinding& finding) {
  std::vector<described::TrainRow> rows;
  for (const study::SeedRecord& seed : finding.seeds)
    for (std::uint64_t order = 0; order < seed.scores.size(); ++order)
      for (std::uint64_t e = 0; e < seed.scores[order].size(); ++e)
        rows.push_back({seed.seed, order, e + 1, seed.scores[order][e],
                        order == 0 ? study::RunDifference{} : seed.differences[order - 1][e]});
  return csv_table(described::kTrainRow, rows);
}

Json record_config(const study::TrainFinding& question) { return to_json(described::kTrainRecordConfig, question); }

Json question_json(const study::TrainFinding& question) { return to_json(described::kTrainQuestion, question); }

study::TrainFinding train_question_from(const Json& json) {
  study::TrainFinding question;
  read_whole(described::kTrainQuestion, json, question);
  study::validate_options(question.request);
  return question;
}

std::string record_text(const study::SeedRecord& record) { return to_json(described::kSeedRecord, record).dump(); }

study::SeedRecord seed_record(std::string_view text) {
  const Json json = Json::parse(text);
  study::SeedRecord record;
  read_whole(described::kSeedRecord, json, record);
  if (to_json(described::kSeedRecord, record) != json)
    throw Error(ErrorKind::input, "record of training: its lists are not of equal length");
  const std::vector<double> limits = study::margin_limits();
  if (record.margins.size() != limits.size()) throw Error(ErrorKind::input, "record of training: other margins");
  for (std::size_t i = 0; i < limits.size(); ++i) {
    record.margins[i].low = i == 0 ? 0 : limits[i - 1];
    record.margins[i].high = limits[i];
  }
  return record;
}

}  // namespace orderlab
