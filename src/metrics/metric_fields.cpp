#include "metrics/metric_fields.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "describe/kinds.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr Field kQuantileFields[] = {
    value<&Summary::Quantile::value>("value", k::kNumber, "The quantile", {.null = "where there is no finite result"}),
    value<&Summary::Quantile::low>("low", k::kNumber, "Lower limit", {.null = "where the samples are too few for one"}),
    value<&Summary::Quantile::high>("high", k::kNumber, "Upper limit",
                                    {.null = "where the samples are too few for one"}),
};
constexpr TableOf<Summary::Quantile> kQuantile{
    {.key = "quantile",
     .title = "Quantile",
     .help = "A quantile with its 95 % interval from order statistics; of all orders the interval is the quantile "
             "itself.",
     .fields = kQuantileFields,
     .shared = true}};

constexpr auto kQuantileList = []<std::size_t... i>(std::index_sequence<i...>) {
  return std::array{element<&Summary::quantiles, i>(kQuantiles[i].name, kQuantile, kQuantiles[i].help)...};
}
(std::make_index_sequence<std::size(kQuantiles)>());
constexpr TableOf<Summary> kQuantilesOfSummary{{.key = "quantiles",
                                                .title = "Quantiles",
                                                .help = "Quantiles by their level.",
                                                .fields = kQuantileList,
                                                .shared = true}};

constexpr std::string_view kNoResult = "where there is no finite result, or the unit has no value";
constexpr Field kSummaryFields[] = {
    value<&Summary::min>("min", k::kNumber, "Least", {.null = kNoResult}),
    value<&Summary::max>("max", k::kNumber, "Greatest", {.null = kNoResult}),
    value<&Summary::mean>("mean", k::kNumber, "Mean", {.null = "also where it is not finite on both sides"}),
    value<&Summary::sd>("sd", k::kMagnitude, "Standard deviation",
                        {.null = "also for a single sample, or a mean that is not finite"}),
    value<&Summary::max_abs>("max_abs", k::kMagnitude, "Greatest absolute value", {.null = kNoResult}),
    group("quantiles", kQuantilesOfSummary),
};

template <bool all_orders, bool after_distinct>
const Table& listed_metrics() {
  static const std::vector<Field> kFields = [] {
    std::vector<Field> found;
    bool after = false;
    for (const Metric* metric : metrics()) {
      const Field* field = all_orders ? metric->of_all_orders : metric->of_samples;
      if (field != nullptr && after == after_distinct) found.push_back(*field);
      after = after || metric->functions.type == &orderlab::detail::kType<DistinctResults>;
    }
    return found;
  }();
  static const Table kTable{.key = "metrics", .fields = kFields};
  return kTable;
}

template <bool all_orders, bool after_distinct>
constexpr Field kListed[] = {listed<Metrics>(listed_metrics<all_orders, after_distinct>)};
template <bool all_orders>
constexpr Field kAllListed[] = {listed<Metrics>(listed_metrics<all_orders, false>),
                                listed<Metrics>(listed_metrics<all_orders, true>)};

consteval TableOf<Metrics> of_metrics(std::span<const Field> fields) {
  return {{.key = "metrics", .title = "Metrics", .help = "What the metrics found.", .fields = fields}};
}

}  // namespace

constexpr TableOf<Summary> kSummary{{.key = "summary",
                                     .title = "Summary",
                                     .help = "A distribution in a few numbers; null where there is no finite result, "
                                             "or the unit has no value.",
                                     .fields = kSummaryFields,
                                     .shared = true}};

constexpr TableOf<Metrics> kSampledMetrics = of_metrics(kAllListed<false>);
constexpr TableOf<Metrics> kSampledMetricsThroughDistinct = of_metrics(kListed<false, false>);
constexpr TableOf<Metrics> kSampledMetricsAfterDistinct = of_metrics(kListed<false, true>);
constexpr TableOf<Metrics> kEnumeratedMetrics = of_metrics(kAllListed<true>);
constexpr TableOf<Metrics> kEnumeratedMetricsThroughDistinct = of_metrics(kListed<true, false>);
constexpr TableOf<Metrics> kEnumeratedMetricsAfterDistinct = of_metrics(kListed<true, true>);

const TableOf<Metrics>& metrics_table(const Metrics& metrics) {
  return metrics.of_all_orders() ? kEnumeratedMetrics : kSampledMetrics;
}

}  // namespace orderlab::described
