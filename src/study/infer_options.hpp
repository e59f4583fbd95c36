// The options of `infer`.
#pragma once

#include "orderlab/study/infer.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kNoise{
    .key = "noise",
    .value = "NATS",
    .help =
        "in place of --against: mean absolute change of the margin between the two likeliest tokens from run to run, "
        "such as 0.03",
    .config_help = "Mean absolute change of a margin that was given in place of a second run, nats",
    .low = 0,
    .high = 100,
    .above_low = true};
inline constexpr Flag kInferSeed = seed_flag("seed of resampling, and of what --runs draw", "Seed of resampling");

inline constexpr Option kInferRows[] = {
    option<&InferRequest::noise>(kNoise),
    option<&InferRequest::seed>(kInferSeed),
    option<&InferRequest::threads>(kThreads),
};
inline constexpr OptionsOf<InferRequest> kInferOptions{kInferRows};

}  // namespace orderlab::study
