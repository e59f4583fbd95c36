// What a question is asked of: terms, orders, operations. Sweeps have axes of most of them.
#pragma once

#include "orderlab/philox.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

// ---- terms

inline constexpr Flag kN{.key = "n",
                         .kind = FlagKind::count,
                         .value = "COUNT",
                         .help = "number of terms to generate: 1000, 1e6, 2^20",
                         .group = "Input",
                         .low = 1,
                         .high = RandomStream::kIndexLimit};
inline constexpr Flag kDistribution{
    .key = "dist",
    .value = "DIST",
    .fallback = "uniform(0,10)",
    .help = "distribution of generated terms; with one seed all use the same random numbers",
    .group = "Input",
    .list = "distributions"};
inline constexpr Flag kInput{.key = "input",
                             .kind = FlagKind::reads,
                             .value = "FILE",
                             .help =
                                 "terms from FILE or FILE::NAME: .npy, .npz, .csv, .tsv, .txt, .json, .safetensors, "
                                 ".h5, .mtx, .f64, .f32, compressed or not; - for stdin",
                             .group = "Input"};
inline constexpr Flag kWith{.key = "with",
                            .kind = FlagKind::reads,
                            .value = "FILE",
                            .help = "multiply term by term with this file: a dot product",
                            .group = "Input"};
inline constexpr Flag kInputAxis{.key = "axis",
                                 .value = "K|all",
                                 .help =
                                     "of an array of several dimensions: sums along axis K, from 0, as "
                                     "--op 'sum(axis=K)'; all: one sum of all numbers, as they lie",
                                 .group = "Input"};
inline constexpr Flag kDecimal{.key = "decimal",
                               .value = "MARK",
                               .fallback = ".",
                               .help = "decimal mark of numbers in text files: a point, or a comma",
                               .group = "Input"};
inline constexpr Flag kListArrays{.key = "list",
                                  .kind = FlagKind::toggle,
                                  .help = "only show what the files hold: names, types and shapes",
                                  .group = "Input"};
inline constexpr Flag kTermList{
    .key = "values", .value = "LIST", .help = "the terms themselves: 0.1,0.2,-0.3", .group = "Input"};
inline constexpr Flag kFormat{.key = "format",
                              .value = "FORMATS",
                              .help =
                                  "fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]]; TERMS can be tf32, e4m3 "
                                  "or e5m2, ACCUMULATE fp80, RESULT e8m13",
                              .group = "Input",
                              .list = "formats"};
inline constexpr Flag kInputSeed{.key = "input_seed",
                                 .kind = FlagKind::count,
                                 .value = "COUNT",
                                 .help = "seed of the terms alone",
                                 .group = "Input"};

// ---- orders

/// For commands of one order.
inline constexpr Flag kOrder{.key = "order",
                             .value = "ORDER",
                             .help = "named order or expression, see `orderlab list orders`; `check` takes any too",
                             .group = "Order",
                             .list = "orders"};
/// For commands that compare several.
inline constexpr Flag kOrders{.key = "order",
                              .value = "ORDER",
                              .help = "named order or expression; several are compared",
                              .group = "Order",
                              .repeats = true,
                              .list = "orders"};
inline constexpr Flag kArrival{.key = "arrival",
                               .value = "MODEL",
                               .help = "arrival model of every `arrive` that is written without one; default: uniform",
                               .group = "Order",
                               .list = "arrivals"};
inline constexpr Flag kBaseline{
    .key = "baseline",
    .value = "ORDER",
    .help =
        "fixed order that results are compared with; default: same order, arrivals in launch order; of an operation "
        "also deterministic, launch, exact or run",
    .list = "orders"};

/// Of the order that another is compared with.
inline constexpr Flag kAgainstFormat{
    .key = "against_format",
    .value = "FORMATS",
    .help = "formats of the order of --against, as ACCUMULATE[:RESULT]; default: those of --format",
    .config_help = "Formats of partial sums and of the result of the order that results are compared with",
    .group = "Order",
    .list = "formats"};

// ---- operations

inline constexpr Flag kOp{.key = "op",
                          .value = "OPERATION",
                          .fallback = "sum",
                          .help = "operation with many outputs, such as index_add; see `orderlab list operations`",
                          .group = "Operation",
                          .list = "operations"};
inline constexpr Flag kIndex{.key = "index",
                             .kind = FlagKind::reads,
                             .value = "FILE",
                             .help = "where it adds: whole numbers, .npy or text",
                             .group = "Operation"};
inline constexpr Flag kSelf{.key = "self",
                            .kind = FlagKind::reads,
                            .value = "FILE",
                            .help = "first values of the accumulators, one for each output; default: 0",
                            .group = "Operation"};
inline constexpr Flag kShape{.key = "shape",
                             .value = "AxB",
                             .help = "shape of inputs to generate, fp32 unless --format says otherwise",
                             .group = "Operation"};
inline constexpr Flag kRatio{
    .key = "ratio",
    .value = "R",
    .fallback = "1",
    .help = "generated index: draw R A indices from R A bins; A is the first dimension of the shape",
    .group = "Operation",
    .low = 0,
    .high = 1,
    .must_be = "a number above 0 and at most 1",
    .above_low = true};
inline constexpr Flag kBatch{
    .key = "batch",
    .value = "LIST",
    .help = "sizes of a batch, such as 1,8,64: the kernel of each, and which results of the same requests it changes",
    .group = "Operation"};
inline constexpr Flag kGpu{.key = "gpu",
                           .value = "GPU",
                           .fallback = "h100",
                           .help = "GPU that the launch is made for, or sms=K; arrivals do not depend on it",
                           .group = "Operation",
                           .list = "gpus"};
inline constexpr Flag kLookback{.key = "lookback",
                                .value = "MODEL",
                                .help = "how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival",
                                .group = "Operation",
                                .list = "lookbacks"};

}  // namespace orderlab::study
