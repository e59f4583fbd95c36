// The options of `sample` and `enumerate`, of sums and of operations.
#pragma once

#include "orderlab/philox.hpp"
#include "orderlab/study/enumerate.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/operation_outcomes.hpp"
#include "orderlab/study/sample.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kSamples{.key = "samples",
                               .kind = FlagKind::count,
                               .value = "COUNT",
                               .fallback = "1000",
                               .help = "orders to draw",
                               .config_help = "Number of orders to draw",
                               .low = 1,
                               .high = RandomStream::kSampleLimit};
inline constexpr Flag kMaxDistinct{
    .key = "max_distinct",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "distinct results kept before binning",
    .config_help = "Number of distinct results that are listed; more are counted in bins",
    .low = 2};

inline constexpr Option kSampleRows[] = {
    option<&SampleRequest::samples>(kSamples),
    option<&SampleRequest::max_distinct>(kMaxDistinct),
    option<&SampleRequest::seed>(kSeed),
    option<&SampleRequest::threads>(kThreads),
};
inline constexpr OptionsOf<SampleRequest> kSampleOptions{kSampleRows};

inline constexpr Option kSampleOperationRows[] = {
    option<&OperationSampleRequest::samples>(kSamples, kMostOperationSamples),
    option<&OperationSampleRequest::seed>(kSeed),
    option<&OperationSampleRequest::threads>(kThreads),
};
inline constexpr OptionsOf<OperationSampleRequest> kSampleOperationOptions{kSampleOperationRows};

inline constexpr Flag kListedDistinct{.key = kMaxDistinct.key,
                                      .kind = FlagKind::count,
                                      .value = "COUNT",
                                      .help = "distinct results in JSON before binning",
                                      .config_help = kMaxDistinct.config_help,
                                      .low = kMaxDistinct.low};

inline constexpr Option kEnumerateRows[] = {
    option<&EnumerateRequest::max_distinct>(kListedDistinct),
    memory_option<&EnumerateRequest::memory_bytes>(kMemory),
    option<&EnumerateRequest::seed>(kSeed),
    option<&EnumerateRequest::threads>(kThreads),
};
inline constexpr OptionsOf<EnumerateRequest> kEnumerateOptions{kEnumerateRows, with_an_order<EnumerateRequest>};

inline constexpr Option kEnumerateOperationRows[] = {option<&OperationEnumerateRequest::threads>(kThreads)};
inline constexpr OptionsOf<OperationEnumerateRequest> kEnumerateOperationOptions{kEnumerateOperationRows};

}  // namespace orderlab::study
