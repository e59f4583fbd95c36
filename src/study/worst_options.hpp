// The options of `worst`.
#pragma once

#include "orderlab/study/worst.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kSearchEvaluations{
    .key = "evaluations",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "sums that a search may evaluate; default: 20000, fewer for many terms",
    .config_help = "Number of sums that a search may evaluate",
    .low = 1};
inline constexpr Flag kSearchSeconds{.key = "seconds",
                                     .value = "TIME",
                                     .help = "search for this many seconds instead; not reproducible",
                                     .config_help = "Time of a search in seconds",
                                     .low = 0,
                                     .high = 1e9,
                                     .must_be = "a time above 0 and at most 1e9, such as 30",
                                     .above_low = true};

inline constexpr Option kWorstRows[] = {
    option<&WorstRequest::evaluations>(kSearchEvaluations),
    option<&WorstRequest::seconds>(kSearchSeconds),
    memory_option<&WorstRequest::memory_bytes>(kQuickMemory),
    option<&WorstRequest::seed>(kSeed),
    option<&WorstRequest::threads>(kThreads),
};
inline constexpr OptionsOf<WorstRequest> kWorstOptions{kWorstRows, with_an_order<WorstRequest>};

}  // namespace orderlab::study
