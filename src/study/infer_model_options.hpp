// The options of `infer` with a model.
#pragma once

#include "orderlab/study/infer_model.hpp"
#include "study/infer_options.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kAnswerTokens{.key = "tokens",
                                    .kind = FlagKind::count,
                                    .value = "COUNT",
                                    .help = "tokens of each answer",
                                    .config_help = "Number of tokens of each answer",
                                    .group = "Model",
                                    .low = 1,
                                    .high = 1e6};

inline constexpr Flag kDrawnRuns{
    .key = "runs",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "further runs of the first settings, each with draws of its own; see --neighbours and split_order",
    .config_help = "Number of further runs of the first settings, each with draws of its own",
    .group = "Model",
    .high = 1e4};

inline constexpr Option kModelInferRows[] = {
    option<&ModelInferRequest::tokens>(kAnswerTokens),
    option<&ModelInferRequest::runs>(kDrawnRuns),
    option<&ModelInferRequest::seed>(kInferSeed),
    option<&ModelInferRequest::threads>(kThreads),
};
inline constexpr OptionsOf<ModelInferRequest> kModelInferOptions{kModelInferRows};

/// Error(usage) for runs that draw nothing, and for what only such runs draw where there are none.
void require_draws(const ModelInferRequest& request);

}  // namespace orderlab::study
