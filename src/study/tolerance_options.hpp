// The options of `tolerance`, of sums and of operations.
#pragma once

#include "core/enum_names.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/study/tolerance.hpp"
#include "study/bound_order.hpp"
#include "study/input_options.hpp"
#include "study/shared_options.hpp"

namespace orderlab::study {

inline constexpr Flag kCoverage{
    .key = "coverage", .kind = FlagKind::fraction, .value = "FRACTION", .help = "fraction of runs that must pass"};
inline constexpr Flag kConfidenceOfCoverage{.key = "confidence",
                                            .kind = FlagKind::fraction,
                                            .value = "FRACTION",
                                            .help = "probability that the coverage holds"};
inline constexpr Flag kAgainst{
    .key = "against",
    .value = "WHAT",
    .help = "exact: the exact sum; run: another run; an order: a run of it on the same terms (not with --op)",
    .config_help =
        "What a result is compared with: exact, the exact sum; run, another run; or the expression of an order",
    .list = "orders",
    .must_be = "exact, run or an order"};
inline constexpr Flag kComparedOutputs{
    .key = "outputs",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help =
        "independent outputs of a comparison, each a sum of its own terms; the tolerance covers the largest of "
        "their errors",
    .config_help = "Number of independent outputs of a comparison; the tolerance covers the largest of their errors",
    .low = 1,
    .high = kMostSamples};
inline constexpr Flag kToleranceSamples{
    .key = "samples",
    .kind = FlagKind::count,
    .value = "COUNT",
    .help = "orders to draw on one input; default: all if few, else chosen from coverage and confidence",
    .config_help = "Number of orders of one input to draw",
    .low = 1,
    .high = RandomStream::kSampleLimit};

/// exact and run by name; any other text is an order.
Against read_against(const Flag& flag, const std::string& text);
std::string against_text(const Flag& flag, Against against);

/// exact and run alone.
Against read_against_of_outputs(const Flag& flag, const std::string& text);

inline constexpr Option kToleranceRows[] = {
    option<&ToleranceRequest::coverage>(kCoverage),
    option<&ToleranceRequest::confidence>(kConfidenceOfCoverage),
    option<&ToleranceRequest::against, read_against, against_text>(kAgainst),
    option<&ToleranceRequest::outputs>(kComparedOutputs),
    option<&ToleranceRequest::samples>(kToleranceSamples),
    memory_option<&ToleranceRequest::memory_bytes>(kQuickMemory),
    option<&ToleranceRequest::seed>(kSeed),
    option<&ToleranceRequest::threads>(kThreads),
};
inline constexpr OptionsOf<ToleranceRequest> kToleranceOptions{kToleranceRows, with_an_order<ToleranceRequest>};

inline constexpr Option kToleranceOperationRows[] = {
    option<&OperationToleranceRequest::coverage>(kCoverage),
    option<&OperationToleranceRequest::confidence>(kConfidenceOfCoverage),
    option<&OperationToleranceRequest::against, read_against_of_outputs, against_text>(kAgainst),
    option<&OperationToleranceRequest::samples>(kToleranceSamples),
    option<&OperationToleranceRequest::seed>(kSeed),
    option<&OperationToleranceRequest::threads>(kThreads),
};
inline constexpr OptionsOf<OperationToleranceRequest> kToleranceOperationOptions{kToleranceOperationRows};

}  // namespace orderlab::study
