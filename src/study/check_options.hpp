// The options of `check`: against an order, against all that are known, and of operations.
#pragma once

#include "core/enum_names.hpp"
#include "orderlab/study/check.hpp"
#include "orderlab/study/check_difference.hpp"
#include "orderlab/study/operation_outcomes.hpp"
#include "study/check_samples.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kCheckConfidence{
    .key = "confidence",
    .kind = FlagKind::fraction,
    .value = "P",
    .help =
        "probability of not flagging legitimate results, however many are given; assumes uniform arrivals unless "
        "they are named",
    .config_help = "Probability of not flagging legitimate results, however many are given",
    .group = "Results"};
inline constexpr Flag kCheckSamples{
    .key = "samples",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help =
        "orders to draw if they cannot be enumerated, independent of `sample`'s draws; default: chosen from "
        "confidence, number of results and n",
    .config_help = "Number of orders to draw where they cannot be enumerated",
    .low = 1,
    .high = kMostCheckSamples};
inline constexpr Flag kOrderDevice{.key = "device",
                                   .kind = FlagKind::word,
                                   .value = "KIND",
                                   .help = "with --order any: try only the orders of CPU or of GPU programs",
                                   .config_help = "Whose orders are tried",
                                   .words = names_through<OrderDevice::gpu>()};
inline constexpr Flag kFtz{
    .key = "ftz",
    .kind = FlagKind::word,
    .value = "ANSWER",
    .help = "whether fp32 atomics and additions flush subnormal numbers to zero; either allows both",
    .config_help = "Whether fp32 additions flush subnormal numbers to zero",
    .group = "Results",
    .words = names_through<Flushing::no>()};

inline constexpr Option kCheckRows[] = {
    option<&CheckRequest::confidence>(kCheckConfidence),
    option<&CheckRequest::samples>(kCheckSamples),
    option<&CheckRequest::flushing>(kFtz),
    memory_option<&CheckRequest::memory_bytes>(kQuickMemory),
    option<&CheckRequest::seed>(kSeed),
    option<&CheckRequest::threads>(kThreads),
};
inline constexpr OptionsOf<CheckRequest> kCheckOptions{kCheckRows, with_an_order<CheckRequest>};

inline constexpr Flag kAgainstOrder{
    .key = "against",
    .value = "ORDER",
    .help =
        "results are differences between a run of --order and a run of this order on the same terms, judged by pairs "
        "of samples",
    .config_help = "Expression of the order of the other results of the differences",
    .group = "Results",
    .list = "orders",
    .must_be = "an order"};

inline constexpr Option kCheckDifferenceRows[] = {
    option<&DifferenceRequest::confidence>(kCheckConfidence),
    option<&DifferenceRequest::samples>(kCheckSamples),
    option<&DifferenceRequest::seed>(kSeed),
    option<&DifferenceRequest::threads>(kThreads),
};
inline constexpr OptionsOf<DifferenceRequest> kCheckDifferenceOptions{
    kCheckDifferenceRows, [] {
      static const DifferenceRequest kRequest{parse_order("seq"), {parse_order("seq")}};
      return static_cast<const void*>(&kRequest);
    }};

inline constexpr Option kCheckAnyRows[] = {
    option<&CheckAnyRequest::confidence>(kCheckConfidence),
    option<&CheckAnyRequest::samples>(kCheckSamples),
    option<&CheckAnyRequest::device>(kOrderDevice),
    memory_option<&CheckAnyRequest::memory_bytes>(kQuickMemory),
    option<&CheckAnyRequest::seed>(kSeed),
    option<&CheckAnyRequest::threads>(kThreads),
};
inline constexpr OptionsOf<CheckAnyRequest> kCheckAnyOptions{kCheckAnyRows};

inline constexpr Option kCheckOperationRows[] = {
    option<&OperationCheckRequest::confidence>(kCheckConfidence),
    option<&OperationCheckRequest::samples>(kCheckSamples),
    option<&OperationCheckRequest::flushing>(kFtz),
    option<&OperationCheckRequest::seed>(kSeed),
    option<&OperationCheckRequest::threads>(kThreads),
};
inline constexpr OptionsOf<OperationCheckRequest> kCheckOperationOptions{
    kCheckOperationRows, [] {
      static const OperationCheckRequest kRequest{.actual = {{1}, Terms(Format::fp64, 1)}};
      return static_cast<const void*>(&kRequest);
    }};

}  // namespace orderlab::study
