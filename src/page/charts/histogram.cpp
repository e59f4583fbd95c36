// Histograms of the error of random orders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "metrics/statistics.hpp"
#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/error_shape.hpp"
#include "page/number_words.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostPanels = 12;

// The facet first: the end of a long title is cut off, and panels of one order would look the same.
std::string histogram_panel(const Cell& cell) {
  return cell.facet.empty() ? cell.series : cell.facet + ": " + cell.series;
}

/// The axes that all panels of one comparison have.
struct HistogramAxes {
  double low = INFINITY;  ///< of the bars
  double high = -INFINITY;
  double greatest = 0;  ///< fraction
  double from = 0;      ///< the axis: the bars, and what is drawn beside them
  double to = 0;

  void see(const std::vector<HistogramBar>& bars) {
    low = std::min(low, bars.front().low);
    high = std::max(high, bars.back().high);
    for (const HistogramBar& bar : bars) greatest = std::max(greatest, bar.fraction);
    from = low;
    to = high;
  }
  double reach() const { return high - low; }
  bool near_exact() const { return low - reach() <= 0 && 0 <= high + reach(); }
  /// A bound far outside would squeeze the bars, so it is in the table only.
  bool near(double bound) const { return bound >= low - reach() / 2 && bound <= high + reach() / 2; }
  void extend(double value) {
    from = std::min(from, value);
    to = std::max(to, value);
  }
};

// By facet: panels of one facet are compared with each other.
std::map<std::string, HistogramAxes> axes_of(const std::vector<const Cell*>& cells) {
  std::map<std::string, HistogramAxes> axes;
  for (const Cell* cell : cells) axes[cell->facet].see(histogram_of(cell->first().errors));
  for (const Cell* cell : cells) {
    HistogramAxes& of = axes[cell->facet];
    if (of.near_exact()) of.extend(0);
    for (const double side : {-1.0, 1.0})
      if (const double bound = side * cell->first().probabilistic_bound.value_or(INFINITY); of.near(bound))
        of.extend(bound);
  }
  return axes;
}

vega::Panel panel_of_point(const SumPoint& point, const std::string& title, const std::string& unit, bool alone,
                           const HistogramAxes& axes) {
  vega::Panel panel{title, Json::array(), {}};
  const std::vector<HistogramBar> bars = histogram_of(point.errors);
  for (const HistogramBar& bar : bars)
    panel.rows.push_back({{"kind", "bar"},
                          {"low", vega::number(bar.low)},
                          {"high", vega::number(bar.high)},
                          {"fraction", vega::number(bar.fraction)}});
  const Json x{{"field", "low"},
               {"type", "quantitative"},
               {"title", "error, " + unit},
               {"axis", {{"tickCount", 5}}},
               {"scale", {{"domain", {vega::number(axes.from), vega::number(axes.to)}}, {"nice", true}}}};
  const Json y{{"field", "fraction"},
               {"type", "quantitative"},
               {"title", "fraction"},
               {"axis", {{"tickCount", 4}}},
               {"scale", {{"domain", {0, vega::number(axes.greatest)}}, {"nice", true}}}};
  const Json tooltip{{{"field", "low"}, {"format", ".4~g"}},
                     {{"field", "high"}, {"format", ".4~g"}},
                     {{"field", "fraction"}, {"format", ".3~g"}}};
  // 0 is the exact sum; where it is far away the bars keep their room, and the caption says so.
  const bool near_exact = axes.near_exact();
  if (near_exact) panel.rows.push_back({{"kind", "exact"}, {"low", 0}, {"word", "exact sum"}});
  panel.layers = {
      vega::layer("bar", {{"type", "rect"}},
                  {{"x", x}, {"x2", {{"field", "high"}}}, {"y", y}, {"y2", {{"datum", 0}}}, {"tooltip", tooltip}})};
  if (near_exact) {
    panel.layers.push_back(vega::layer("exact", {{"type", "rule"}, {"style", "exact"}}, {{"x", x}}));
    if (alone)  // above the bars, where panels have their titles
      panel.layers.push_back(vega::layer("exact", {{"type", "text"}, {"style", "word"}, {"baseline", "bottom"}},
                                         {{"x", x}, {"y", {{"value", -3}}}, {"text", {{"field", "word"}}}}));
  }
  bool near = false;
  for (const double side : {-1.0, 1.0}) {
    const double bound = side * point.probabilistic_bound.value_or(INFINITY);
    if (!axes.near(bound)) continue;
    panel.rows.push_back({{"kind", "bound"}, {"low", vega::number(bound)}});
    near = true;
  }
  if (near) panel.layers.push_back(vega::layer("bound", {{"type", "rule"}, {"style", "reference"}}, {{"x", x}}));
  return panel;
}

std::optional<Figure> draw_histogram(const SweepContent& content) {
  std::vector<vega::Panel> panels;
  Figure figure;
  const std::string unit = error_unit(content);
  figure.columns = {"order"};
  for (const char* column : {"smallest", "largest", "mean", "sd", "bound P3", "bound D1"})
    figure.columns.push_back(std::string(column) + ", " + unit);
  const auto cell_text = [](const std::optional<double>& value) { return value ? in_words(*value, 3) : "–"; };
  const std::vector<Cell> cells = compared_cells(content);
  std::vector<const Cell*> shown;
  for (const Cell& cell : cells)
    if (cell.first().random && cell.first().errors.size() >= 2 && shown.size() < kMostPanels) shown.push_back(&cell);
  const std::map<std::string, HistogramAxes> axes = axes_of(shown);
  for (const Cell* one : shown) {
    const Cell& cell = *one;
    const SumPoint& point = cell.first();
    panels.push_back(
        panel_of_point(point, histogram_panel(cell), unit, content.points.size() == 1, axes.at(cell.facet)));
    const Distribution middles{middles_of(point.errors)};
    figure.rows.push_back({histogram_panel(cell), in_words(middles.values.front().value, 3),
                           in_words(middles.values.back().value, 3), in_words(mean(middles), 3),
                           cell_text(point.error_sd), cell_text(point.probabilistic_bound),
                           cell_text(point.running_bound)});
  }
  if (panels.empty()) return std::nullopt;
  constexpr double kHeight = 130;
  figure.leads = !content.swept && content.points.size() == 1;
  figure.spec = vega::spec("Histograms of the error", std::move(panels), {.height = kHeight, .columns = 3});
  figure.caption = fmt::format(
      "Error in {}, the first input at {}. The line at 0 is the exact sum, drawn if in range. Dotted: the "
      "probabilistic bound P3 [HallmanIpsen2023], if in range.{}",
      unit, common_n_in_words(cells), content.near_zero ? "" : " Bars are a power of two ulps wide.");
  return figure;
}

}  // namespace

extern const Chart kHistogramChart;
const Chart kHistogramChart{.name = "histogram", .title = "Distribution of the error", .draw = draw_histogram};

}  // namespace orderlab
