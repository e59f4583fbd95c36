// The options of `verify`.
#pragma once

#include "crosscheck/verify.hpp"
#include "study/shared_options.hpp"

namespace orderlab {

inline constexpr Flag kVerifyConfidence{
    .key = "confidence",
    .kind = FlagKind::fraction,
    .value = "P",
    .help = "probability of not flagging a legitimate run",
    .config_help = "Probability of not flagging a legitimate run, of all runs of a capture together"};
inline constexpr Flag kVerifySeed = study::seed_flag("seed of the orders sampled for runs without recorded order");

inline constexpr Option kVerifyRows[] = {
    option<&VerifyOptions::confidence>(kVerifyConfidence),
    option<&VerifyOptions::seed>(kVerifySeed),
    option<&VerifyOptions::threads>(study::kThreads),
};
inline constexpr OptionsOf<VerifyOptions> kVerifyOptions{kVerifyRows};

}  // namespace orderlab
