// The options of `infer` with a model.
#pragma once

#include "orderlab/study/infer_model.hpp"
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

inline constexpr Option kModelInferRows[] = {
    option<&ModelInferRequest::tokens>(kAnswerTokens),
    option<&ModelInferRequest::threads>(kThreads),
};
inline constexpr OptionsOf<ModelInferRequest> kModelInferOptions{kModelInferRows};

}  // namespace orderlab::study
