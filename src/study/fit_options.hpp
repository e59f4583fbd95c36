// The options of `fit`, to recorded arrival orders and to a table of Vc.
#pragma once

#include "orderlab/study/fit.hpp"
#include "study/arrivals_options.hpp"
#include "study/bound_order.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kFolds{
    .key = "folds",
    .kind = FlagKind::count,
    .value = "K",
    .help = "groups of successive runs, each held out once to judge by; at least two runs each",
    .config_help = "Number of groups of successive runs, each held out once to judge by",
    .low = 2,
    .high = 1000};
inline constexpr Flag kPredict{
    .key = "predict", .kind = FlagKind::toggle, .help = "compare the sums that recorded and fitted orders give"};
inline constexpr Flag kPredictDistribution{
    .key = "dist", .value = "DIST", .help = "distribution of the terms of --predict", .list = "distributions"};
inline constexpr Flag kFitInputs{.key = "inputs",
                                 .kind = FlagKind::count,
                                 .value = "COUNT",
                                 .help = "inputs of --predict, or of each row of a table; default: 20, with --op 4",
                                 .config_help = "Number of inputs",
                                 .low = 1,
                                 .high = 1e6};
inline constexpr Flag kFitSamples{.key = "samples",
                                  .kind = FlagKind::count,
                                  .value = "COUNT",
                                  .help = "drawn orders of each input; default: 400, with --op 16",
                                  .config_help = "Number of drawn orders of each input",
                                  .low = 2,
                                  .high = kMostSamples};
inline constexpr Flag kFitSeed = seed_flag("seed of simulations, resampling, terms and orders");
inline constexpr Flag kSplit{
    .key = "split",
    .kind = FlagKind::count,
    .value = "N",
    .help = "with --op: fitted to sizes up to N and judged above, and the other way round",
    .config_help = "Models are fitted to sizes up to it and judged above, and the other way round",
    .low = 1};

inline constexpr Option kFitRows[] = {
    option<&FitRequest::folds>(kFolds),
    option<&FitRequest::sms>(kSms),
    option<&FitRequest::resident>(kResident),
    option<&FitRequest::predict>(kPredict),
    option<&FitRequest::distribution>(kPredictDistribution),
    option<&FitRequest::inputs>(kFitInputs),
    option<&FitRequest::samples>(kFitSamples),
    option<&FitRequest::seed>(kFitSeed),
    option<&FitRequest::threads>(kThreads),
};
inline constexpr OptionsOf<FitRequest> kFitOptions{kFitRows};

inline constexpr Option kFitOperationRows[] = {
    option<&OperationFitRequest::split>(kSplit),
    option<&OperationFitRequest::inputs>(kFitInputs, 1000),
    option<&OperationFitRequest::samples>(kFitSamples, 1e5),
    option<&OperationFitRequest::seed>(kFitSeed),
    option<&OperationFitRequest::threads>(kThreads),
};
inline constexpr OptionsOf<OperationFitRequest> kFitOperationOptions{kFitOperationRows};

}  // namespace orderlab::study
