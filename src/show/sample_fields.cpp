#include "show/sample_fields.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "metrics/metric_fields.hpp"
#include "metrics/same_bits.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/result_fields.hpp"
#include "show/sample.hpp"
#include "show/shared_fields.hpp"
#include "study/sample_options.hpp"

namespace orderlab::described {

namespace {

using study::AskedOrder;
using study::SampledOrder;
using study::SampleFinding;
namespace k = kinds;

const AskedOrder& asked_order(const SampleFinding& finding) { return finding.asked[0]; }

constexpr Field kSampleBaseline = value(
    "baseline", k::kText, kBaselineHelp, [](const SampleFinding& f) { return text_or_none(f.baseline); }, kOwnBaseline);

constexpr Field kSumConfigFields[] = {
    merged<&SampleFinding::input>(kTermsConfig),
    merged([](const SampleFinding& f) -> const AskedOrder& { return asked_order(f); }, kOrderConfig),
    kSampleBaseline,
};
constexpr TableOf<SampleFinding> kSumConfig{
    {.key = "config", .title = "Sum config", .help = kConfigSentence, .fields = kSumConfigFields}};

constexpr Field kSamplingConfigFields[] = {
    value<&SampleFinding::seed>(study::kSeed, k::kCount),
    value<&SampleFinding::samples>(study::kSamples, k::kSome),
    value<&SampleFinding::max_distinct>(study::kMaxDistinct, kMostDistinct),
    kSampleBaseline,
};
constexpr TableOf<SampleFinding> kSamplingConfig{{.key = "sampling_config",
                                                  .title = "Sampling",
                                                  .help = "What is drawn, and what it is compared with.",
                                                  .fields = kSamplingConfigFields}};

constexpr Field kSampleConfigFields[] = {
    merged<&SampleFinding::input>(kTermsConfig),
    merged([](const SampleFinding& f) -> const AskedOrder& { return asked_order(f); }, kOrderConfig),
    merged(kSamplingConfig),
};
constexpr TableOf<SampleFinding> kSampleConfig{
    {.key = "config", .title = "Sample config", .help = kConfigSentence, .fields = kSampleConfigFields}};

using MaybeText = std::optional<std::string>;
constexpr Kind kTextOrNull{Holds::text, R"({"$ref": "shared.json#/$defs/text_or_null"})", {}};
constexpr Field kMaybeTextFields[] = {itself<MaybeText>(kTextOrNull)};
constexpr TableOf<MaybeText> kMaybeTexts{
    {.key = "maybe_text", .title = "Text or nothing", .help = "A text, or null.", .fields = kMaybeTextFields}};

constexpr More kTwoOrMore{.list_rule = R"({"minItems": 2})"};
constexpr Field kSampleOrdersConfigFields[] = {
    merged<&SampleFinding::input>(kTermsConfig),
    part(
        "order", kTexts, "Expressions of the orders",
        [](const SampleFinding& f) {
          std::vector<std::string> expressions;
          for (const AskedOrder& order : f.asked) expressions.push_back(order.expression);
          return expressions;
        },
        kTwoOrMore),
    part(
        "arrival", kMaybeTexts, "For each order the arrival model of its first `arrive`; null for an order without one",
        [](const SampleFinding& f) {
          std::vector<MaybeText> models;
          for (const AskedOrder& order : f.asked) models.push_back(text_or_none(order.arrival));
          return models;
        },
        kTwoOrMore),
    merged(kSamplingConfig),
};
constexpr TableOf<SampleFinding> kSampleOrdersConfig{
    {.key = "config", .title = "Sampled orders config", .help = kConfigSentence, .fields = kSampleOrdersConfigFields}};

/// An order with the terms that its results are measured by.
struct MeasuredRun {
  const SampledOrder& order;
  const study::InputFacts& input;

  std::vector<ResultRow> listed() const {
    return order.counts.binned() ? std::vector<ResultRow>() : result_rows(order.counts.results(), input);
  }
};

constexpr Field kRunOrder = part("order", kMeasuredOrder, [](const MeasuredRun& r) { return measured_order(r.order); });
constexpr Field kRunSamples = value("samples", k::kSome, "Number of orders that were drawn; 1 for a fixed order",
                                    [](const MeasuredRun& r) { return r.order.counts.samples(); });
constexpr Field kRunThroughDistinct =
    merged([](const MeasuredRun& r) -> const Metrics& { return r.order.metrics; }, kSampledMetricsThroughDistinct);
constexpr Field kRunAfterDistinct =
    merged([](const MeasuredRun& r) -> const Metrics& { return r.order.metrics; }, kSampledMetricsAfterDistinct);

constexpr Field kOrderRunFields[] = {
    kRunOrder,
    part(
        "warnings", kTexts, kWarningsHelp, [](const MeasuredRun& r) -> const auto& { return r.order.warnings; },
        kOfWarnings),
    kRunSamples,
    kRunThroughDistinct,
    part(
        "results", kSampledResult, kResultsHelp, [](const MeasuredRun& r) { return r.listed(); }, kNotBinned),
    part(
        "histogram", kSampledHistogram,
        [](const MeasuredRun& r) {
          const ResultCounts& counts = r.order.counts;
          return counts.binned() ? std::optional(result_histogram(counts.bins(), counts.bin_exponent())) : std::nullopt;
        },
        kBinned),
    kRunAfterDistinct,
};
constexpr TableOf<MeasuredRun> kOrderRun{{.key = "order_run",
                                          .title = "Order run",
                                          .help = "What was found for one order.",
                                          .fields = kOrderRunFields,
                                          .rules = kListedOrBinned}};

constexpr Field kFixedRunFields[] = {
    kRunOrder,           kRunSamples,
    kRunThroughDistinct, part("results", kSampledResult, kResultsHelp, [](const MeasuredRun& r) { return r.listed(); }),
    kRunAfterDistinct,
};
constexpr TableOf<MeasuredRun> kFixedRun{
    {.key = "fixed_run", .title = "Fixed run", .help = "What was found for a fixed order.", .fields = kFixedRunFields}};

constexpr auto kFirstRun = [](const SampleFinding& f) { return MeasuredRun{f.orders[0], f.input}; };

std::vector<MeasuredRun> runs_of(const SampleFinding& finding) {
  std::vector<MeasuredRun> runs;
  for (const SampledOrder& order : finding.orders) runs.push_back({order, finding.input});
  return runs;
}

/// That a run of the first order differs from a run of the second one.
struct DifferingBits {
  std::optional<double> probability;  ///< empty where one was interrupted or binned
};
constexpr Field kDifferingBitsFields[] = {
    value<&DifferingBits::probability>(
        "probability", k::kProbability,
        "Probability that a run of the first order and a run of the second give different bits",
        {.null = "where results are counted in bins or the run was interrupted"}),
};
constexpr TableOf<DifferingBits> kDifferingBits{{.key = "differing_bits",
                                                 .title = "Differing bits",
                                                 .help = "Comparison of two orders.",
                                                 .fields = kDifferingBitsFields}};

std::optional<DifferingBits> differing_bits(const SampleFinding& finding) {
  if (finding.asked.size() != 2) return {};
  if (finding.orders.size() != 2) return DifferingBits{};
  return DifferingBits{differing_bits_estimate(finding.orders[0].counts, finding.orders[1].counts)};
}

constexpr Field kRangeFields[] = {
    value<&SampleRange::first>("first", k::kCount, "First sample, from 0"),
    value<&SampleRange::second>("second", k::kCount, "The sample after the last"),
};
constexpr TableOf<SampleRange> kRange{{.key = "range",
                                       .help = "The part of the samples that was drawn: from the first number to below "
                                               "the second.",
                                       .fields = kRangeFields,
                                       .form = Form::array}};

constexpr Field kDrawnFields[] = {
    part<&SampleFinding::range>("range", kRange, {.absent = "where all were"}),
    value("partial", k::kTruth, "The run was interrupted, or of counts that were merged some samples are missing",
          [](const SampleFinding& f) { return f.partial ? std::optional(true) : std::nullopt; },
          {.absent = "otherwise", .constant = "true"}),
    part<&SampleFinding::input>("input", kInput),
};
constexpr TableOf<SampleFinding> kDrawn{
    {.key = "drawn", .title = "Drawn", .help = "What was drawn, and of which terms.", .fields = kDrawnFields}};

constexpr Field kSampleFields[] = {
    head<SampleFinding>(), command<SampleFinding>(R"("sample")"), group("config", kSampleConfig),
    merged(kDrawn),        merged(kFirstRun, kOrderRun),
};

constexpr Field kSampleOrdersFields[] = {
    head<SampleFinding>(),
    command<SampleFinding>(R"("sample")"),
    group("config", kSampleOrdersConfig),
    merged(kDrawn),
    part("runs", kOrderRun, "What was found for each order, in the order given; fewer where the run was interrupted",
         [](const SampleFinding& f) { return runs_of(f); }, {.list_rule = R"({"minItems": 1})"}),
    part("differing_bits", kDifferingBits, [](const SampleFinding& f) { return differing_bits(f); },
         {.absent = "for more than two"}),
};

constexpr Field kSumFields[] = {
    head<SampleFinding>(),        command<SampleFinding>(R"("sum")"),
    group("config", kSumConfig),  part<&SampleFinding::input>("input", kInput),
    merged(kFirstRun, kFixedRun),
};

}  // namespace

constexpr TableOf<SampleFinding> kSampleDocument{
    {.key = "sample",
     .title = "Sample",
     .help = "Written by `orderlab sample --json` for one order: how far a sum moves.",
     .fields = kSampleFields}};

constexpr TableOf<SampleFinding> kSampleOrdersDocument{
    {.key = "sample_orders",
     .title = "Sampled orders",
     .help = "Written by `orderlab sample --json` for several orders: how far the sums of the same terms move.",
     .fields = kSampleOrdersFields}};

constexpr TableOf<SampleFinding> kSumDocument{
    {.key = "sum", .title = "Sum", .help = "Written by `orderlab sum --json`: one fixed order.", .fields = kSumFields}};

}  // namespace orderlab::described

namespace orderlab {

namespace {

// Edges of bins as sums, and as errors.
std::vector<ResultRow> bin_rows(const ResultCounts& counts, const ExactValue& exact) {
  const CountingFrame& frame = counts.frame();
  const int exponent = counts.bin_exponent();
  const Distribution bins = counts.bins();
  const Distribution errors = errors_of(counts, exact);
  std::vector<ResultRow> rows;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto [index, weight] = bins.values[i];
    ResultRow& row = rows.emplace_back();
    row.value = frame.center + std::ldexp(index, exponent + frame.ulp_exponent);
    row.count = static_cast<std::uint64_t>(weight);
    row.error_ulp = std::ldexp(errors.values[i].value, -frame.ulp_exponent);
    row.bin_ulp = std::ldexp(1.0, exponent);
  }
  return rows;
}

}  // namespace

std::string to_csv(const study::SampleFinding& finding) {
  std::string csv = "order," + csv_titles(described::kSampledResult);
  for (const study::SampledOrder& order : finding.orders) {
    const std::vector<ResultRow> rows = order.counts.binned() ? bin_rows(order.counts, finding.input.exact)
                                                              : result_rows(order.counts.results(), finding.input);
    for (const ResultRow& row : rows) csv += "\"" + order.expression + "\"," + csv_row(described::kSampledResult, row);
  }
  return csv;
}

std::string to_json(const study::SampleFinding& finding) {
  const auto& document = finding.asked.size() == 1 ? described::kSampleDocument : described::kSampleOrdersDocument;
  return json_document(to_json(document, finding));
}

std::string to_json(const study::SumFinding& finding) {
  return json_document(described::to_json<study::SampleFinding>(described::kSumDocument, finding));
}

}  // namespace orderlab
