#include "show/operation_shared_fields.hpp"

#include <cstddef>
#include <optional>

namespace orderlab::described {

namespace {

using study::BatchSize;
using study::OperationFacts;
using study::OperationMeasures;
using study::OutputBin;
namespace k = kinds;

bool generated(const OperationFacts& input) { return !input.distribution.empty(); }

constexpr More kNotGiven{.absent = "for given inputs"};
constexpr More kWhereThere{.absent = "where there is none"};

constexpr Field kOperationTermsFields[] = {
    value<&OperationFacts::operation>("op", k::kText, kOperationHelp),
    value("gpu", k::kText, kGpuHelp, [](const OperationFacts& f) { return f.device.name; }),
    value("format", k::kFormats, kFormatsHelp, [](const OperationFacts& f) { return to_string(f.formats); }),
    value("shape", k::kText, "Shape of generated inputs, such as 100x100",
          [](const OperationFacts& f) -> std::optional<Value> {
            if (!generated(f)) return {};
            return f.input_shape.empty() ? Value() : Value(to_string(f.input_shape));
          },
          {.null = "where the operation's parameters say it", .absent = "for given inputs"}),
    value(
        "ratio", k::kFraction,
        "R of a generated index: R A indices are drawn from R A bins; A is the first dimension of the shape",
        [](const OperationFacts& f) { return generated(f) ? std::optional(f.ratio) : std::nullopt; }, kNotGiven),
    value("dist", k::kText, "Distribution of generated terms",
          [](const OperationFacts& f) { return text_or_none(f.distribution); }, {.absent = "for given terms"}),
    value("input_seed", k::kCount, "Seed of generated terms",
          [](const OperationFacts& f) { return generated(f) ? std::optional(f.input_seed) : std::nullopt; },
          {.absent = "for given terms"}),
};

constexpr Field kOperationArraysFields[] = {
    value(
        "with", k::kHash, "Hash of the array that the given input is multiplied with",
        [](const OperationFacts& f) { return text_or_none(f.factor_hash); }, kWhereThere),
    value(
        "index", k::kHash, "Hash of the given index",
        [](const OperationFacts& f) { return text_or_none(f.index_hash); }, kWhereThere),
    value("self", k::kHash, "Hash of the given first values of the accumulators",
          [](const OperationFacts& f) { return text_or_none(f.self_hash); }, {.absent = "where they are 0"}),
    value("order", k::kText, "Expression of the order that adds each output",
          [](const OperationFacts& f) { return text_or_none(f.order); },
          {.absent = "for an operation that has an order of its own"}),
};

constexpr Field kOperationConfigFields[] = {
    merged([](const OperationFacts& f) -> const OperationFacts& { return f; }, kOperationTerms),
    value("input", k::kHash, "Hash of the given input",
          [](const OperationFacts& f) { return text_or_none(f.source_hash); }, {.absent = "for generated inputs"}),
    merged([](const OperationFacts& f) -> const OperationFacts& { return f; }, kOperationArrays),
};

constexpr Field kLaunchFields[] = {
    value<&Launch::kernel>("kernel", k::kText, "Name of the kernel"),
    value<&Launch::reason>("reason", k::kText, "Why this kernel runs"),
    value<&Launch::source>("source", k::kText, kSourceHelp),
    value<&Launch::addition>("addition", k::kText, kAdditionHelp),
    value<&Launch::unit>("unit", k::kText, "What arrives together"),
    value<&Launch::threads_per_block>("threads_per_block", k::kCount,
                                      "Threads per thread block; 0 where it does not matter"),
    value<&Launch::grid>("grid", k::kCount, "Number of thread blocks; 0 where it does not matter"),
    value<&Launch::passes>("passes", k::kSome, "Passes of the grid through the contributions"),
    guarantee<&Launch::guarantee>(),
};
constexpr TableOf<Launch> kLaunch{{.key = "launch",
                                   .title = "Launch",
                                   .help = "The kernel that the operation runs for these shapes on this GPU.",
                                   .fields = kLaunchFields,
                                   .shared = true}};

constexpr Field kExtent[] = {itself<std::size_t>(k::kSome)};
constexpr TableOf<std::size_t> kExtents{{.key = "extent", .title = "Extent", .help = "An extent.", .fields = kExtent}};

constexpr Field kOperationFields[] = {
    value<&OperationFacts::operation>("op", k::kText, kOperationHelp),
    part<&OperationFacts::launch>("launch", kLaunch),
    part<&OperationFacts::shape>("shape", kExtents, "Shape of the output, the slowest dimension first"),
    value<&OperationFacts::outputs>("outputs", k::kCount, "Number of outputs"),
    value<&OperationFacts::contributions>("contributions", k::kCount,
                                          "Number of numbers that are added to outputs, over all outputs"),
    value<&OperationFacts::units>("units", k::kCount, "Number of units: what arrives together, such as thread blocks"),
    value<&OperationFacts::inexact_conversions>(
        "inexact_conversions", k::kCount, "Number of inputs that their format does not hold, which were rounded to it"),
};

constexpr Field kOutputBinFields[] = {
    value<&OutputBin::low>("above", k::kFraction, "Lower end, excluded; in the first bin equal to the upper end"),
    value<&OutputBin::high>("to", k::kMagnitude, "Upper end, included"),
    value<&OutputBin::outputs>("outputs", k::kCount, "Number of outputs in it"),
};

constexpr Field kOverSamplesFields[] = {
    value<&RunSummary::mean>("mean", k::kMagnitude, "Mean"),
    value<&RunSummary::sd>("sd", k::kMagnitude, "Standard deviation", {.null = "for a single sample"}),
    value<&RunSummary::min>("min", k::kMagnitude, "Least"),
    value<&RunSummary::median>("median", k::kMagnitude, "Median"),
    value<&RunSummary::max>("max", k::kMagnitude, "Greatest"),
};
constexpr TableOf<RunSummary> kOverSamples{{.key = "over_samples",
                                            .title = "Over samples",
                                            .help = "One number of each sample, over the samples.",
                                            .fields = kOverSamplesFields,
                                            .shared = true}};

constexpr Field kVcFields[] = {
    merged<&OperationMeasures::vc>(kOverSamples),
    value<&OperationMeasures::vc_expected>("exact_expectation", k::kFraction,
                                           "Exact mean where all arrival orders are equally likely",
                                           {.null = "where it is not known"}),
};
constexpr TableOf<OperationMeasures> kVc{
    {.key = "vc",
     .title = "Vc",
     .help = "Share of the outputs whose bits differ from the baseline, over the samples.",
     .fields = kVcFields,
     .shared = true}};

constexpr Field kOffsetDifferencesFields[] = {
    value<&OutputDifferences::vermv_robust>("vermv_robust", k::kMagnitude, "Mean over the outputs of |a - b| / sum|x|"),
    value<&OutputDifferences::largest_difference>("max_ulp", k::kMagnitude,
                                                  "Greatest |a - b| in ulps of the exact result"),
};
constexpr TableOf<OutputDifferences> kOffsetDifferences{
    {.key = "differences", .title = "Differences", .help = "Differences.", .fields = kOffsetDifferencesFields}};
constexpr Field kMethodOffsetFields[] = {
    value<&OperationMeasures::offset_vc>("vc", k::kProbability, "Share of the outputs whose bits differ"),
    merged<&OperationMeasures::offset>(kOffsetDifferences),
};
constexpr TableOf<OperationMeasures> kMethodOffset{
    {.key = "method_offset",
     .title = "Method offset",
     .help = "How launch order differs from the baseline: the difference of method, not of order.",
     .fields = kMethodOffsetFields,
     .shared = true}};

constexpr Field kVermvFields[] = {
    part<&OperationMeasures::vermv_paper>("paper", kOverSamples,
                                          "Mean of |a - b| / |a|, a of the baseline; inf where an a is 0 and b is not"),
    part<&OperationMeasures::vermv_code>("code", kOverSamples, "Mean of |a - b| / |a + 1e-8|"),
    part<&OperationMeasures::vermv_robust>("robust", kOverSamples,
                                           "Mean of |a - b| / sum|x|, the sum over the contributions of the output"),
};
constexpr TableOf<OperationMeasures> kVermv{
    {.key = "vermv",
     .title = "Vermv",
     .help = "Mean over the outputs of the relative difference from the baseline, in three definitions, over the "
             "samples.",
     .fields = kVermvFields,
     .shared = true}};

constexpr Field kOperationMeasureFields[] = {
    value<&OperationMeasures::samples>("samples", k::kSome, kRunsDrawnHelp),
    output_baseline<&OperationMeasures::baseline>(),
    value<&OperationMeasures::can_vary>("can_vary", k::kProbability,
                                        "Share of the outputs that some arrival order may change"),
    group("vc", kVc),
    part<&OperationMeasures::vc_values>("vc_by_value", kOverSamples,
                                        "Share of the outputs whose values differ from the baseline: +0 equals -0"),
    part<&OperationMeasures::vc_order>("vc_of_order", kOverSamples,
                                       "Share of the outputs whose bits differ from launch order"),
    group("method_offset", kMethodOffset),
    group("vermv", kVermv),
    part<&OperationMeasures::largest_difference>(
        "max_ulp", kOverSamples, "Greatest |a - b| of all outputs, a of the baseline, in ulps of the exact result"),
    part<&OperationMeasures::largest_error>("max_error_ulp", kOverSamples,
                                            "Greatest error of all outputs, in ulps of the exact result"),
    value<&OperationMeasures::distinct>("distinct", k::kSome, "Number of different arrays among the samples"),
    value<&OperationMeasures::unseen_mass>(
        "unseen_mass", k::kProbability, "Expected probability that the next run gives an array that was not seen yet"),
    value<&OperationMeasures::nonfinite_exact>("nonfinite_exact", k::kCount,
                                               "Number of outputs whose exact result is not finite"),
};

constexpr Field kBatchSizeFields[] = {
    value<&BatchSize::batch>("batch", k::kSome, "Size of the batch"),
    value("kernel", k::kText, "The kernel that runs", [](const BatchSize& b) { return b.launch.kernel; }),
    value("threads_per_block", k::kCount, "Threads of a thread block; 0 where it is not known",
          [](const BatchSize& b) { return b.launch.threads_per_block; }),
    value("reason", k::kText, "Why this kernel", [](const BatchSize& b) { return b.launch.reason; }),
    value("addition", k::kText, kAdditionHelp, [](const BatchSize& b) { return b.launch.addition; }),
    value<&BatchSize::outputs_different>("outputs_different", k::kCount,
                                         "Outputs with other bits than in the first size"),
    value<&BatchSize::rows_different>("rows_different", k::kCount,
                                      "Rows, along the last dimension, with such an output"),
    value<&BatchSize::largest_difference>("largest_difference", k::kMagnitude,
                                          "Greatest difference of an output from that in the first size"),
};
}  // namespace

constexpr TableOf<OperationFacts> kOperationTerms{{.key = "operation_terms",
                                                   .title = "Operation",
                                                   .help = "Which operation and generated inputs.",
                                                   .fields = kOperationTermsFields}};

constexpr TableOf<OperationFacts> kOperationArrays{{.key = "operation_arrays",
                                                    .title = "Operation",
                                                    .help = "Which given inputs and order.",
                                                    .fields = kOperationArraysFields}};

constexpr TableOf<OperationFacts> kOperationConfig{
    {.key = "operation_config",
     .title = "Operation",
     .help = "Which operation and inputs.",
     .fields = kOperationConfigFields,
     .rules = R"({"oneOf": [{"required": ["shape", "ratio", "dist", "input_seed"]}, {"required": ["input"]}]})"}};

constexpr TableOf<OperationFacts> kOperation{
    {.key = "operation", .title = "Operation", .help = "The operation.", .fields = kOperationFields}};

constexpr TableOf<OutputBin> kOutputBin{{.key = "output_bin",
                                         .title = "Output bin",
                                         .help = "Outputs with a number in an interval.",
                                         .fields = kOutputBinFields,
                                         .shared = true}};

constexpr TableOf<OperationMeasures> kOperationMeasures{{.key = "measures",
                                                         .title = "Operation measures",
                                                         .help = "What samples differ in.",
                                                         .fields = kOperationMeasureFields}};

constexpr TableOf<BatchSize> kBatchSize{{.key = "batch_size",
                                         .title = "Batch size",
                                         .help = "The kernel for one size of a batch, and what it changes.",
                                         .fields = kBatchSizeFields,
                                         .shared = true}};

}  // namespace orderlab::described
