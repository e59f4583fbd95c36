#include "orderlab/study/train.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/pass.hpp"
#include "engine/task_list.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "study/train_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

using Model = GraphSage<float>;
using Problem = GraphSageProblem<float>;

RunDifference difference(const Model& first, const Model& other) {
  RunDifference result;
  const auto a = first.weights();
  const auto b = other.weights();
  std::size_t differ = 0;
  double apart = 0, length = 0;
  each_in_pass(a.size(), [&](std::size_t i) {
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) ++differ;
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    apart += d * d;
    length += static_cast<double>(a[i]) * static_cast<double>(a[i]);
  });
  result.weights = static_cast<double>(differ) / static_cast<double>(a.size());
  result.distance = length > 0 ? std::sqrt(apart / length) : 0;
  const auto c = first.predictions();
  const auto d = other.predictions();
  std::size_t flips = 0;
  for (std::size_t v = 0; v < c.size(); ++v)
    if (c[v] != d[v]) ++flips;
  result.predictions = static_cast<double>(flips) / static_cast<double>(c.size());
  return result;
}

std::vector<MarginBin> empty_bins() {
  std::vector<MarginBin> bins;
  double low = 0;
  for (const double high : margin_limits()) {
    bins.push_back({low, high, 0, 0, 0});
    low = high;
  }
  return bins;
}

/// Evaluations of a trained model, each in an order of its own, beside that in launch order.
std::vector<MarginBin> flips_by_margin(const Model& model, const TrainRequest& request, std::uint64_t seed,
                                       Pass& steps) {
  std::vector<MarginBin> bins = empty_bins();
  ProgramRun launch(seed, 0, Reductions::launch);
  const Model::Evaluation expected = model.evaluate(launch);
  std::vector<std::uint64_t> flips(expected.predictions.size(), 0);
  for (std::uint64_t e = 0; e < request.evaluations; ++e) {
    ProgramRun run(seed, request.orders + e, request.reductions);  // samples that no training has
    const Model::Evaluation drawn = model.evaluate(run);
    for (std::size_t v = 0; v < flips.size(); ++v)
      if (drawn.predictions[v] != expected.predictions[v]) ++flips[v];
    steps.did(1);
  }
  for (std::size_t v = 0; v < flips.size(); ++v) {
    const auto bin =
        std::find_if(bins.begin(), bins.end(), [&](const MarginBin& b) { return expected.margins[v] <= b.high; });
    if (bin == bins.end()) continue;  // NaN
    ++bin->nodes;
    bin->flips += flips[v];
    if (flips[v] > 0) ++bin->flipping;
  }
  return bins;
}

/// What is counted of a seed: models made, epochs, evaluations.
std::uint64_t steps_of_seed(const TrainRequest& request) {
  return request.orders * (1 + request.epochs) + request.evaluations;
}

SeedRecord train_seed(const Problem& problem, const TrainRequest& request, std::uint64_t seed, Pass& steps) {
  SeedRecord record;
  record.seed = seed;
  record.scores.resize(request.orders);
  record.differences.resize(request.orders - 1);
  std::vector<Model> models;
  for (std::uint64_t order = 0; order < request.orders; ++order) {
    models.emplace_back(problem, ProgramRun(seed, order, request.reductions));
    steps.did(1);
  }
  for (std::uint64_t epoch = 0; epoch < request.epochs; ++epoch)
    for (std::uint64_t order = 0; order < request.orders; ++order) {
      record.scores[order].push_back(models[order].epoch());
      if (!std::isfinite(record.scores[order].back().loss))
        throw Error(ErrorKind::usage, "training diverged: the loss of seed " + std::to_string(seed) + " in epoch " +
                                          std::to_string(epoch + 1) + " is not finite; take a smaller learning rate");
      if (order > 0) record.differences[order - 1].push_back(difference(models[0], models[order]));
      steps.did(1);
    }
  record.margins = flips_by_margin(models[0], request, seed, steps);
  return record;
}

ScoreOfEpoch score_of_epoch(const std::vector<SeedRecord>& seeds, std::size_t epoch, double EpochScores::*score) {
  std::vector<std::vector<double>> runs;
  ScoreOfEpoch result{{}, HUGE_VAL, -HUGE_VAL};
  for (const SeedRecord& seed : seeds) {
    runs.emplace_back();
    for (const auto& order : seed.scores) {
      runs.back().push_back(order[epoch].*score);
      result.least = std::min(result.least, runs.back().back());
      result.greatest = std::max(result.greatest, runs.back().back());
    }
  }
  result.components = variance_components(runs);
  return result;
}

RunSummary difference_of_epoch(const std::vector<SeedRecord>& seeds, std::size_t epoch, double RunDifference::*of) {
  std::vector<double> differences;
  for (const SeedRecord& seed : seeds)
    for (const auto& order : seed.differences) differences.push_back(order[epoch].*of);
  return summary_of_runs(std::move(differences));
}

void summarize(TrainFinding& finding) {
  for (std::size_t e = 0; e < finding.request.epochs; ++e)
    finding.by_epoch.push_back({e + 1, score_of_epoch(finding.seeds, e, &EpochScores::loss),
                                score_of_epoch(finding.seeds, e, &EpochScores::train_accuracy),
                                score_of_epoch(finding.seeds, e, &EpochScores::validation_accuracy),
                                score_of_epoch(finding.seeds, e, &EpochScores::test_accuracy),
                                difference_of_epoch(finding.seeds, e, &RunDifference::weights),
                                difference_of_epoch(finding.seeds, e, &RunDifference::distance),
                                difference_of_epoch(finding.seeds, e, &RunDifference::predictions)});
  finding.margins = empty_bins();
  for (const SeedRecord& seed : finding.seeds)
    for (std::size_t b = 0; b < finding.margins.size(); ++b) {
      finding.margins[b].nodes += seed.margins[b].nodes;
      finding.margins[b].flipping += seed.margins[b].flipping;
      finding.margins[b].flips += seed.margins[b].flips;
    }
}

TrainFinding question_of(const Problem& problem, const TrainingInput& input, const TrainRequest& request) {
  TrainFinding question;
  question.input = input.facts;
  question.request = canonical(request);
  question.launch = problem.launch();
  question.varies = problem.varies();
  return question;
}

TrainingFacts facts_of(const NodeGraph& graph) {
  TrainingFacts facts;
  facts.hash = graph.hash();
  facts.nodes = graph.nodes;
  facts.edges = graph.source.size();
  facts.features = graph.features.columns;
  facts.classes = graph.classes;
  facts.train = graph.count(NodeUse::train);
  facts.validation = graph.count(NodeUse::validation);
  facts.test = graph.count(NodeUse::test);
  return facts;
}

}  // namespace

std::vector<double> margin_limits() { return {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, HUGE_VAL}; }

TrainingInput training_input(const Communities& what, const Watch& watch) {
  const FloatEnvironment environment;
  kGraphOptions.check(what);
  const WatchedWork work(watch, "generating the graph");
  TrainingInput input{planted_communities(what), {}};
  input.facts = facts_of(input.graph);
  input.facts.communities = what;
  return input;
}

TrainingInput training_input(NodeGraph graph) {
  const FloatEnvironment environment;
  TrainingInput input{std::move(graph), {}};
  input.facts = facts_of(input.graph);
  return input;
}

void validate_options(const TrainRequest& request) {
  kTrainOptions.check(request);
  if (request.seed > ~std::uint64_t{0} - request.seeds)
    throw RequestError("seed", std::to_string(request.seed), "is too large for so many seeds");
}

void validate(const TrainRequest& request) {
  const FloatEnvironment environment;
  validate_options(request);
  parse_arrival(request.arrival);
}

bool fits(const SeedRecord& record, std::uint64_t seed, const TrainRequest& request) {
  const auto has_epochs = [&](const auto& run) { return run.size() == request.epochs; };
  return record.seed == seed && record.scores.size() == request.orders &&
         record.differences.size() == request.orders - 1 && record.margins.size() == margin_limits().size() &&
         std::all_of(record.scores.begin(), record.scores.end(), has_epochs) &&
         std::all_of(record.differences.begin(), record.differences.end(), has_epochs);
}

TrainRequest canonical(TrainRequest request) {
  const FloatEnvironment environment;
  request.arrival = to_string(parse_arrival(request.arrival));
  return request;
}

TrainFinding training_question(const TrainingInput& input, const TrainRequest& request) {
  const FloatEnvironment environment;
  validate(request);
  return question_of(Problem(input.graph, request.model, request.arrival, request.device), input, request);
}

std::optional<TrainFinding> training_finding(TrainFinding finding, std::map<std::uint64_t, SeedRecord> records) {
  const FloatEnvironment environment;
  const TrainRequest& request = finding.request;
  const auto first = records.lower_bound(request.seed);
  const auto end = records.lower_bound(request.seed + request.seeds);
  for (auto one = first; one != end; ++one)
    if (fits(one->second, one->first, request)) finding.seeds.push_back(std::move(one->second));
  if (finding.seeds.empty()) return std::nullopt;
  finding.partial = finding.seeds.size() < request.seeds;
  summarize(finding);
  return finding;
}

std::optional<TrainFinding> train(const TrainingInput& input, const TrainRequest& request, const TrainRecords& records,
                                  const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  const auto made = unless_stopped([&] {
    const WatchedWork work(watch, "model");
    return std::make_unique<const Problem>(input.graph, request.model, request.arrival, request.device);
  });
  if (!made) return std::nullopt;
  const Problem& problem = **made;
  std::vector<std::uint64_t> wanted;
  std::map<std::uint64_t, SeedRecord> done;
  for (std::uint64_t s = request.seed; s < request.seed + request.seeds; ++s)
    if (const auto found = records.known.find(s); found != records.known.end() && fits(found->second, s, request))
      done.insert(*found);
    else
      wanted.push_back(s);
  const auto at_once = std::min<std::size_t>(wanted.size(), static_cast<std::size_t>(threads_used(request.threads)));
  require_memory(problem.run_bytes() * static_cast<double>(request.orders) * static_cast<double>(at_once));
  if (!wanted.empty()) {
    const WatchedWork work(watch, "training, steps");
    Pass steps(wanted.size() * steps_of_seed(request));
    std::mutex keeping;
    run_task_list(wanted.size(), request.threads, at_once, [&](std::size_t i) {
      stop_point();
      SeedRecord record = train_seed(problem, request, wanted[i], steps);
      const std::lock_guard lock(keeping);
      if (records.done) records.done(record);
      done.emplace(wanted[i], std::move(record));
    });
  }
  return training_finding(question_of(problem, input, request), std::move(done));
}

}  // namespace orderlab::study
