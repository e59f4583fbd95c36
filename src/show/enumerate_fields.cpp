#include "show/enumerate_fields.hpp"

#include <optional>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "metrics/metric_fields.hpp"
#include "orderlab/counts.hpp"
#include "show/enumerate.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/result_fields.hpp"
#include "show/shared_fields.hpp"
#include "study/sample_options.hpp"

namespace orderlab::described {

namespace {

using study::EnumerateFinding;
namespace k = kinds;

constexpr Field kEnumerateConfigFields[] = {
    merged<&EnumerateFinding::input>(kTermsConfig),
    merged(
        [](const EnumerateFinding& f) -> const auto& { return f.order.asked; }, kOrderConfig),
    value<&EnumerateFinding::max_distinct>(study::kListedDistinct, kMostDistinct),
    value(
        "baseline", k::kText, kBaselineHelp, [](const EnumerateFinding& f) { return text_or_none(f.baseline); },
        kOwnBaseline),
};
constexpr TableOf<EnumerateFinding> kEnumerateConfig{
    {.key = "config", .title = "Enumeration config", .help = kConfigSentence, .fields = kEnumerateConfigFields}};

// Results in bins are not counted one by one.
Metrics shown_metrics(const EnumerateFinding& finding) {
  Metrics shown(true);
  for (const Metrics::Entry& entry : finding.order.metrics.entries())
    if (!finding.binned() || !(entry.is<DistinctResults>() || entry.is<UnseenMass>()))
      shown.add(*entry.metric, entry.value);
  return shown;
}

std::vector<ResultRow> enumerated_rows(const EnumerateFinding& finding) {
  return result_rows(finding.order.enumeration.results, finding.input);
}

std::optional<ResultHistogram> enumerated_histogram(const EnumerateFinding& finding) {
  if (!finding.binned()) return {};
  const auto [indices, exponent] =
      bins_of(finding.order.enumeration.results,
              CountingFrame::make(finding.input.exact, finding.input.formats.result, finding.max_distinct));
  return result_histogram(indices, exponent);
}

constexpr Field kEnumerateFields[] = {
    head<EnumerateFinding>(),
    command<EnumerateFinding>(R"("enumerate")"),
    group("config", kEnumerateConfig),
    part<&EnumerateFinding::input>("input", kInput),
    part("order", kMeasuredOrder, [](const EnumerateFinding& f) { return measured_order(f.order); }),
    value("family", k::kText,
          "What all orders are: one (fixed), all sequences, all summation trees, all assignments of partial sums to "
          "the leaves of one tree, or of the chunks of a queue to workers (queues)",
          [](const EnumerateFinding& f) { return name_of(f.order.enumeration.family); },
          {.words = names_through<OrderFamily::queues>()}),
    value("partial_sums", k::kCount, kPartialSumsHelp, [](const EnumerateFinding& f) { return f.order.enumeration.m; }),
    value("orders", k::kOrders, kOrdersHelp,
          [](const EnumerateFinding& f) { return f.order.enumeration.orders.str(); }),
    merged([](const EnumerateFinding& f) { return shown_metrics(f); }, kEnumeratedMetricsThroughDistinct),
    part(
        "results", kEnumeratedResult, kResultsHelp,
        [](const EnumerateFinding& f) { return f.binned() ? std::vector<ResultRow>() : enumerated_rows(f); },
        kNotBinned),
    part(
        "histogram", kEnumeratedHistogram, [](const EnumerateFinding& f) { return enumerated_histogram(f); }, kBinned),
    merged([](const EnumerateFinding& f) { return shown_metrics(f); }, kEnumeratedMetricsAfterDistinct),
};

}  // namespace

constexpr TableOf<EnumerateFinding> kEnumerateDocument{
    {.key = "enumerate",
     .title = "Enumeration",
     .help = "Written by `orderlab enumerate --json`: every result of an order, with its exact probability.",
     .fields = kEnumerateFields,
     .rules = kListedOrBinned}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::EnumerateFinding& finding) {
  return json_document(to_json(described::kEnumerateDocument, finding));
}

std::string to_csv(const study::EnumerateFinding& finding) {
  std::string csv = "order," + csv_titles(described::kEnumeratedResult);
  for (const ResultRow& row : described::enumerated_rows(finding))
    csv += "\"" + finding.order.asked.expression + "\"," + csv_row(described::kEnumeratedResult, row);
  return csv;
}

}  // namespace orderlab
