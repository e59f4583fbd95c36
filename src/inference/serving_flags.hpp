// Settings of serving that are flags of their own: keys and help, for the command line and for the table of keys.
#pragma once

#include "describe/flag.hpp"

namespace orderlab {

inline constexpr Flag kServing{.key = "serving",
                               .value = "STACK",
                               .fallback = "vllm_fa3",
                               .help = "whose kernels serve the model, one of `orderlab list serving`",
                               .group = "Model",
                               .list = "serving"};
inline constexpr Flag kServingGpu{.key = "gpu",
                                  .value = "GPU",
                                  .fallback = "h100",
                                  .help = "GPU that attention is split for, or sms=K",
                                  .group = "Model",
                                  .list = "gpus"};
inline constexpr Flag kServedFormat{.key = "format",
                                    .value = "FORMAT",
                                    .fallback = "bf16",
                                    .help = "format of weights and activations: bf16, fp16 or fp32",
                                    .group = "Model"};
inline constexpr Flag kRanks{.key = "tp",
                             .kind = FlagKind::count,
                             .value = "COUNT",
                             .fallback = "1",
                             .help = "ranks of tensor parallelism, at most 8",
                             .group = "Model",
                             .low = 1,
                             .high = 8};  // of one host

/// All of them. `fallback` is what a new ServingSettings has.
inline constexpr const Flag* kServingFlags[] = {&kServing, &kServingGpu, &kServedFormat, &kRanks};

}  // namespace orderlab
