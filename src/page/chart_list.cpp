// The charts, one line each.
#include <algorithm>
#include <utility>

#include "page/chart.hpp"
#include "page/vega_lite.hpp"

#define ORDERLAB_CHARTS(CHART)     \
  CHART(kConditionChart)           \
  CHART(kParameterChart)           \
  CHART(kVsChart)                  \
  CHART(kDifferencesChart)         \
  CHART(kGrowthChart)              \
  CHART(kArrivalsChart)            \
  CHART(kOrdersChart)              \
  CHART(kAccuracyChart)            \
  CHART(kFormatsChart)             \
  CHART(kDistinctChart)            \
  CHART(kHistogramChart)           \
  CHART(kEcdfChart)                \
  CHART(kTreesChart)               \
  CHART(kVcSizeChart)              \
  CHART(kVcRatioChart)             \
  CHART(kVermvSizeChart)           \
  CHART(kVermvRatioChart)          \
  CHART(kVermvPublishedSizeChart)  \
  CHART(kVermvPublishedRatioChart) \
  CHART(kOffsetOrderChart)

namespace orderlab {

#define ORDERLAB_DECLARE(chart) extern const Chart chart;
ORDERLAB_CHARTS(ORDERLAB_DECLARE)

std::span<const Chart* const> charts() {
#define ORDERLAB_ADDRESS(chart) &chart,
  static constexpr const Chart* kCharts[] = {ORDERLAB_CHARTS(ORDERLAB_ADDRESS)};
  return kCharts;
}

std::vector<DrawnChart> draw_all(const SweepContent& content) {
  std::vector<DrawnChart> drawn;
  for (const Chart* chart : charts())
    if (chart->of_operations || !content.points.empty())
      if (std::optional<Figure> figure = chart->draw(content)) drawn.push_back({chart, std::move(*figure)});
  const auto leader = std::find_if(drawn.begin(), drawn.end(), [](const DrawnChart& d) { return d.figure.leads; });
  if (leader != drawn.end()) std::rotate(drawn.begin(), leader, leader + 1);
  if (!drawn.empty()) {
    Figure& first = drawn.front().figure;
    first.spec = vega::with_headline(std::move(first.spec), first.headline);
  }
  return drawn;
}

}  // namespace orderlab
