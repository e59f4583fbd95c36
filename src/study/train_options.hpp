// The options of `train`.
#pragma once

#include "orderlab/study/train.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kData{
    .key = "data",
    .value = "DIR",
    .help = "graph of a folder: edges.npy, features.npy, labels.npy, split.npy; default: generated",
    .group = "Input"};
inline constexpr Flag kUnitArrival{.key = "arrival",
                                   .value = "MODEL",
                                   .help = "arrival model of the thread blocks of index_add, such as h100_index_add",
                                   .group = "Order",
                                   .list = "arrivals"};
inline constexpr Flag kNodes{.key = "nodes",
                             .kind = FlagKind::count,
                             .value = "COUNT",
                             .help = "nodes of the generated graph",
                             .config_help = "Number of nodes",
                             .group = "Input",
                             .high = 0x7FFFFFFF};
inline constexpr Flag kClasses{.key = "classes",
                               .kind = FlagKind::count,
                               .value = "COUNT",
                               .help = "classes of the generated graph",
                               .config_help = "Number of classes; node i is of class i mod classes",
                               .group = "Input",
                               .low = 2};
inline constexpr Flag kGraphSeed{.key = "input_seed",
                                 .kind = FlagKind::count,
                                 .value = "COUNT",
                                 .help = "seed of the generated graph",
                                 .group = "Input"};

inline constexpr Option kGraphRows[] = {
    option<&Communities::nodes>(kNodes),
    option<&Communities::classes>(kClasses),
    option<&Communities::seed>(kGraphSeed),
};
inline constexpr OptionsOf<Communities> kGraphOptions{kGraphRows};

inline constexpr Flag kHidden{.key = "hidden",
                              .kind = FlagKind::count,
                              .value = "COUNT",
                              .help = "units of the hidden layer",
                              .config_help = "Width of the hidden layer",
                              .group = "Model",
                              .low = 1};
inline constexpr Flag kDropout{.key = "dropout",
                               .value = "P",
                               .help = "share of the hidden layer dropped",
                               .config_help = "Share of the hidden values that training leaves out",
                               .group = "Model",
                               .low = 0,
                               .high = 1,
                               .below_high = true};
inline constexpr Flag kLearningRate{.key = "learning_rate",
                                    .value = "RATE",
                                    .help = "of Adam",
                                    .config_help = "Learning rate of Adam",
                                    .group = "Model",
                                    .low = 0,
                                    .high = 1000,
                                    .above_low = true,
                                    .below_high = true};
inline constexpr Flag kWeightDecay{.key = "weight_decay",
                                   .value = "DECAY",
                                   .fallback = "5e-4",
                                   .help = "of Adam (L2)",
                                   .config_help = "Weight decay of Adam",
                                   .group = "Model",
                                   .low = 0,
                                   .high = 1000,
                                   .below_high = true};
inline constexpr Flag kEpochs{.key = "epochs",
                              .kind = FlagKind::count,
                              .value = "COUNT",
                              .help = "epochs of each run",
                              .config_help = "Number of epochs",
                              .group = "Model",
                              .low = 1,
                              .high = 1e5};
inline constexpr Flag kSeeds{.key = "seeds",
                             .kind = FlagKind::count,
                             .value = "COUNT",
                             .help = "seeds: initial weights and dropout",
                             .config_help = "Number of seeds",
                             .low = 1,
                             .high = 1e6};
inline constexpr Flag kOrdersOfSeed{.key = "orders",
                                    .kind = FlagKind::count,
                                    .value = "COUNT",
                                    .help = "runs of each seed, which differ by order alone",
                                    .config_help = "Number of runs of each seed",
                                    .low = 1,
                                    .high = 1e4};
inline constexpr Flag kFirstSeedOfTraining =
    seed_flag("the first of the seeds", "The first seed; the others follow it");
inline constexpr Flag kTrainEvaluations{
    .key = "evaluations",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "evaluations of one trained model of each seed, each in an order of its own",
    .config_help = "Number of evaluations of one trained model of each seed",
    .low = 0,
    .high = 1e6};

template <auto member>
inline constexpr auto kOfModel = described::kThrough<&TrainRequest::model, member>;

inline constexpr Option kTrainRows[] = {
    option<kOfModel<&GraphSageOptions::hidden>>(kHidden),
    option<kOfModel<&GraphSageOptions::dropout>>(kDropout),
    option<kOfModel<&GraphSageOptions::learning_rate>>(kLearningRate),
    option<kOfModel<&GraphSageOptions::weight_decay>>(kWeightDecay),
    option<&TrainRequest::epochs>(kEpochs),
    option<&TrainRequest::seeds>(kSeeds),
    option<&TrainRequest::orders>(kOrdersOfSeed),
    option<&TrainRequest::seed>(kFirstSeedOfTraining),
    option<&TrainRequest::evaluations>(kTrainEvaluations),
    option<&TrainRequest::threads>(kThreads),
    option<&TrainRequest::arrival>(kUnitArrival),
};
inline constexpr OptionsOf<TrainRequest> kTrainOptions{kTrainRows};

}  // namespace orderlab::study
