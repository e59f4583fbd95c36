// --op: operations with many outputs, and what they work on.
#pragma once

#include "cli/command_line.hpp"
#include "cli/listing.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::cli {

inline constexpr Flag kOp{.name = "--op",
                          .value = "OPERATION",
                          .fallback = "sum",
                          .help = "operation with many outputs, such as index_add; see `orderlab list operations`",
                          .group = "Operation",
                          .names = [] { return names_in("operations"); }};
inline constexpr Flag kIndex{.name = "--index",
                             .kind = FlagKind::reads,
                             .value = "FILE",
                             .help = "where it adds: whole numbers, .npy or text",
                             .group = "Operation"};
inline constexpr Flag kSelf{.name = "--self",
                            .kind = FlagKind::reads,
                            .value = "FILE",
                            .help = "first values of the accumulators, one for each output; default: 0",
                            .group = "Operation"};
inline constexpr Flag kShape{.name = "--shape",
                             .value = "AxB",
                             .help = "shape of inputs to generate, fp32 unless --format says otherwise",
                             .group = "Operation"};
inline constexpr Flag kRatio{.name = "--ratio",
                             .value = "R",
                             .fallback = "1",
                             .help = "generated index: R A draws out of R A bins, A the first extent of the shape",
                             .group = "Operation"};
inline constexpr Flag kGpu{.name = "--gpu",
                           .value = "GPU",
                           .fallback = "h100",
                           .help = "GPU that the launch is made for, or sms=K; arrivals do not depend on it",
                           .group = "Operation",
                           .names = [] { return names_in("gpus"); }};
inline constexpr Flag kLookback{.name = "--lookback",
                                .value = "MODEL",
                                .help = "how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival",
                                .group = "Operation",
                                .names = [] { return names_in("lookbacks"); }};
inline constexpr std::array kOperationFlags{&kOp, &kIndex, &kSelf, &kShape, &kRatio, &kGpu, &kLookback};

/// Whether --op names an operation with many outputs. Error(usage) where it does not, but a flag of one was given.
bool has_operation(const CommandLine& line);

/// The operation, with its inputs read or generated. Error(usage), Error(input), Stopped.
study::OperationInput load_operation(const CommandLine& line, FileTable& files, const study::Watch& watch);

/// The model of --arrival in canonical form. Error(usage).
std::string arrival_of_units(const CommandLine& line);

}  // namespace orderlab::cli
