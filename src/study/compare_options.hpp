// The options of `compare`.
#pragma once

#include "orderlab/study/compare.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kPaired{
    .key = "paired",
    .kind = FlagKind::toggle,
    .help = "compare runs of equal seeds; without seeds, of equal positions",
    .config_help = "Whether runs of equal seeds are compared; without seeds, runs of equal position"};
inline constexpr Flag kLowerIsBetter{.key = "lower_is_better",
                                     .kind = FlagKind::toggle,
                                     .help = "scores are losses or errors",
                                     .config_help = "Whether scores are losses or errors"};
inline constexpr Flag kPower{.key = "power",
                             .kind = FlagKind::fraction,
                             .value = "P",
                             .help = "probability with which the planned runs show it",
                             .config_help = "Probability with which planned runs are to show it"};
inline constexpr Flag kTestItems{.key = "items",
                                 .kind = FlagKind::count,
                                 .value = "COUNT",
                                 .help = "size of the test set of which scores are shares, for its standard error",
                                 .config_help = "Size of the test set",
                                 .low = 1};
inline constexpr Flag kBestOf{.key = "best_of",
                              .kind = FlagKind::count,
                              .value = "K",
                              .help = "number of runs whose best score is reported; default: all of a model",
                              .config_help = "Number of runs of which the best is picked",
                              .low = 1};
inline constexpr Flag kDrawSeed = seed_flag("seed of drawn permutations");

inline constexpr Option kCompareRows[] = {
    option<&CompareRequest::paired>(kPaired),  option<&CompareRequest::lower_is_better>(kLowerIsBetter),
    option<&CompareRequest::power>(kPower),    option<&CompareRequest::items>(kTestItems),
    option<&CompareRequest::best_of>(kBestOf), option<&CompareRequest::seed>(kDrawSeed),
};
inline constexpr OptionsOf<CompareRequest> kCompareOptions{kCompareRows};

}  // namespace orderlab::study
