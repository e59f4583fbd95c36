// How much of the spread of a model's score comes from its seed, and how much from the order of its sums?
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/graph_sage.hpp"
#include "orderlab/run_summary.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// The graph that is trained on, as findings say it.
struct TrainingFacts {
  std::string hash;                             ///< hash of the graph, "xxh3:..."
  std::optional<Communities> communities = {};  ///< what was generated; empty for a given graph
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t features = 0;
  std::uint64_t classes = 0;
  std::uint64_t train = 0, validation = 0, test = 0;
};

struct TrainingInput {
  NodeGraph graph;
  TrainingFacts facts;
};

TrainingInput training_input(const Communities& what, const Watch& watch = {});

/// A graph of the caller. Errors: as read_graph has it.
TrainingInput training_input(NodeGraph graph);

struct TrainRequest {
  std::uint64_t seeds = 10;
  std::uint64_t orders = 5;  ///< runs of each seed
  std::uint64_t epochs = 10;
  std::uint64_t seed = 1;  ///< seeds are seed, seed + 1, ...
  GraphSageOptions model = {};
  std::string arrival = "uniform";  ///< arrival model of the thread blocks of index_add
  Device device = {};
  Reductions reductions = Reductions::drawn;
  std::uint64_t evaluations = 20;  ///< evaluations of the first trained model of each seed, each in an order of its own
  int threads = 0;                 ///< 0: all; findings never depend on it
};

/// A run beside the first run of its seed, after an epoch.
struct RunDifference {
  double weights = 0;      ///< share of the weights whose bits differ
  double distance = 0;     ///< |w - w'| / |w|, Euclidean
  double predictions = 0;  ///< share of the nodes that are given another class
};

/// Nodes whose margin, the greatest log probability less the second, is in (low, high]; [0, high] for the first.
struct MarginBin {
  double low = 0;
  double high = 0;
  std::uint64_t nodes = 0;
  std::uint64_t flipping = 0;  ///< nodes given another class than in launch order by some evaluation
  std::uint64_t flips = 0;     ///< (node, evaluation) that is so
};

/// Upper ends of the bins of margins.
std::vector<double> margin_limits();

/// The runs of one seed.
struct SeedRecord {
  std::uint64_t seed = 0;
  std::vector<std::vector<EpochScores>> scores;         ///< [order][epoch]
  std::vector<std::vector<RunDifference>> differences;  ///< [order - 1][epoch]
  std::vector<MarginBin> margins;
};

/// Whether the record has the runs and epochs of this seed that the request asks for.
bool fits(const SeedRecord& record, std::uint64_t seed, const TrainRequest& request);

/// What is kept between runs of the program, and how.
struct TrainRecords {
  std::map<std::uint64_t, SeedRecord> known = {};           ///< by seed: not run again if they fit
  std::function<void(const SeedRecord& record)> done = {};  ///< called from one thread at a time
};

/// A score of one epoch over all runs.
struct ScoreOfEpoch {
  VarianceComponents components;
  double least = 0;
  double greatest = 0;
};

struct TrainEpoch {
  std::uint64_t epoch = 0;  ///< from 1
  ScoreOfEpoch loss, train_accuracy, validation_accuracy, test_accuracy;

  /// The members of RunDifference over all runs but the first of each seed; 0 for one order.
  RunSummary weights_differ, weight_distance, predictions_differ;
};

struct TrainFinding {
  TrainingFacts input;
  TrainRequest request;  ///< its arrival canonical
  Launch launch;         ///< launch of the second layer's index_add; a question that was read has its kernel alone
  bool varies = false;   ///< some arrival order may change one of its sums
  bool partial = false;
  std::vector<SeedRecord> seeds;  ///< done, ascending
  std::vector<TrainEpoch> by_epoch;
  std::vector<MarginBin> margins;  ///< over all seeds
};

/// Error(usage) for a request that no graph could answer.
void validate(const TrainRequest& request);

/// Checks its options only, not its arrival model.
void validate_options(const TrainRequest& request);

/// With the canonical text of its arrival model. Error(usage).
TrainRequest canonical(TrainRequest request);

/// What is asked, as a finding without a seed. Errors: as train.
TrainFinding training_question(const TrainingInput& input, const TrainRequest& request);

/// The finding of a question from records by seed, as far as they fit; nothing is computed but what sums them up. Empty
/// without any.
std::optional<TrainFinding> training_finding(TrainFinding question, std::map<std::uint64_t, SeedRecord> records);

/// Trains `orders` models for each seed side by side, several seeds at once. Empty when interrupted before the first
/// seed was done.
///
/// Errors: usage for an arrival model that does not fit; unsupported for more memory than is free.
std::optional<TrainFinding> train(const TrainingInput& input, const TrainRequest& request,
                                  const TrainRecords& records = {}, const Watch& watch = {});

}  // namespace orderlab::study
