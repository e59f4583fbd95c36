// The options of `probe`.
#pragma once

#include "orderlab/study/probe.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kBoxN{.key = "n",
                            .kind = FlagKind::count,
                            .value = "COUNT",
                            .help = "number of terms, at most 2^24",
                            .group = "Settings",
                            .low = 1,
                            .high = kMostProbedTerms};
inline constexpr Flag kRepeats{.key = "repeats",
                               .kind = FlagKind::count,
                               .value = "COUNT",
                               .help = "calls with equal terms that have to agree, 2 or more",
                               .config_help = "Number of calls with equal terms that had to agree",
                               .group = "Settings",
                               .low = 2,
                               .high = 1000};

inline constexpr Option kProbeRows[] = {
    option<&ProbeRequest::n>(kBoxN),
    option<&ProbeRequest::repeats>(kRepeats),
};
inline constexpr OptionsOf<ProbeRequest> kProbeOptions{kProbeRows};

}  // namespace orderlab::study
