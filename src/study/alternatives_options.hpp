// The options of `alternatives`.
#pragma once

#include "orderlab/study/alternatives.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kAlternativesSamples{.key = "samples",
                                           .kind = FlagKind::count,
                                           .value = "COUNT",
                                           .help = "runs of the operation to draw",
                                           .config_help = "Number of runs that was asked for",
                                           .low = 1,
                                           .high = kMostOperationSamples};
inline constexpr Flag kAdders{.key = "adders",
                              .kind = FlagKind::count,
                              .value = "P",
                              .help = "adders that work at once, for a lower bound on cycles",
                              .config_help = "Adders that work at once",
                              .low = 1,
                              .high = 0x1p32};
inline constexpr Flag kLatency{.key = "latency",
                               .kind = FlagKind::count,
                               .value = "L",
                               .help = "cycles that an addition takes, for a lower bound on cycles",
                               .config_help = "Cycles that an addition takes",
                               .low = 1,
                               .high = 0x1p32};

inline constexpr Option kAlternativesRows[] = {
    option<&AlternativesRequest::samples>(kAlternativesSamples),
    option<&AlternativesRequest::adders>(kAdders),
    option<&AlternativesRequest::latency>(kLatency),
    option<&AlternativesRequest::seed>(kSeed),
    option<&AlternativesRequest::threads>(kThreads),
};
inline constexpr OptionsOf<AlternativesRequest> kAlternativesOptions{kAlternativesRows};

}  // namespace orderlab::study
