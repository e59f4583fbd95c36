// The options of `crosscheck`.
#pragma once

#include "orderlab/study/crosscheck.hpp"
#include "study/bound_order.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kFirstSeed =
    seed_flag("first seed of terms and schedules; the others follow it", "First seed of terms and schedules");
inline constexpr Flag kCrosscheckSeeds{.key = "seeds",
                                       .kind = FlagKind::count,
                                       .value = "COUNT",
                                       .help = "seeds, each with terms of its own at every size",
                                       .config_help = "Number of seeds",
                                       .low = 1,
                                       .high = kMostSamples};
inline constexpr Flag kCrosscheckSamples{
    .key = "samples",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "arrival orders of each case with float atomics or look-back",
    .config_help = "Number of arrival orders of each case with float atomics or look-back",
    .low = 1,
    .high = kMostSamples};

inline constexpr Option kCrosscheckRows[] = {
    option<&CrossCheckRequest::seed>(kFirstSeed),
    option<&CrossCheckRequest::seeds>(kCrosscheckSeeds),
    option<&CrossCheckRequest::samples>(kCrosscheckSamples),
    option<&CrossCheckRequest::threads>(kThreads),
};
inline constexpr OptionsOf<CrossCheckRequest> kCrosscheckOptions{kCrosscheckRows};

}  // namespace orderlab::study
