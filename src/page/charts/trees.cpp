// What the orders are: their summation trees at few terms.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/small_tree.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostTrees = 15;

Json rows_of(const TreeDrawing& drawing) {
  Json rows = Json::array();
  for (const TreeEdge& edge : drawing.edges) {
    const TreePoint& parent = drawing.points[edge.parent];
    const TreePoint& child = drawing.points[edge.child];
    rows.push_back({{"kind", "edge"}, {"x", child.x}, {"y", child.y}, {"x2", parent.x}, {"y2", parent.y}});
  }
  for (const TreePoint& point : drawing.points) {
    // every other number a line lower, so that neighbours stand apart
    const bool low = static_cast<std::uint64_t>(point.x) % 2 == 1;
    Json row{{"kind", !point.leaf ? "sum" : low ? "low_term" : "term"}, {"x", point.x}, {"y", point.y}};
    if (point.leaf)
      row["term"] = std::to_string(point.term);
    else
      row["group"] = point.compensated;
    rows.push_back(std::move(row));
  }
  return rows;
}

vega::Panel trees_panel(const TreeDrawing& drawing, const std::string& title) {
  const Json x{{"field", "x"}, {"type", "quantitative"}, {"axis", nullptr}};
  const Json y{{"field", "y"},
               {"type", "quantitative"},
               {"title", nullptr},
               {"axis", {{"tickMinStep", 1}, {"tickCount", 4}, {"grid", false}}}};
  const auto by_group = [](const char* group, const char* single) {
    return Json{{"condition", {{"test", "datum.group"}, {"value", group}}}, {"value", single}};
  };
  Json sum{{"x", x}, {"y", y}, {"shape", by_group("square", "circle")}};
  sum["size"] = {{"condition", {{"test", "datum.group"}, {"value", 80}}}, {"value", 22}};
  return {title,
          rows_of(drawing),
          {vega::layer("edge", {{"type", "rule"}, {"style", "edge"}},
                       {{"x", x}, {"y", y}, {"x2", {{"field", "x2"}}}, {"y2", {{"field", "y2"}}}}),
           vega::layer("sum", {{"type", "point"}, {"filled", true}, {"opacity", 1}}, sum),
           vega::layer("term", {{"type", "text"}, {"style", "leaf"}, {"dy", 7}},
                       {{"x", x}, {"y", y}, {"text", {{"field", "term"}}}}),
           vega::layer("low_term", {{"type", "text"}, {"style", "leaf"}, {"dy", 16}},
                       {{"x", x}, {"y", y}, {"text", {{"field", "term"}}}})}};
}

std::optional<Figure> draw_trees(const SweepContent& content) {
  std::vector<vega::Panel> panels;
  std::vector<std::string> drawn;
  Figure figure;
  figure.columns = {"order", "drawn as", "height"};
  for (const SumPoint& point : content.points) {
    const std::string order = drawn_order(point.expression);
    if (std::find(drawn.begin(), drawn.end(), order) != drawn.end() || drawn.size() == kMostTrees) continue;
    const auto tree = small_tree(order, point.seed);
    if (!tree) continue;
    drawn.push_back(order);
    panels.push_back(trees_panel(*tree, point.order));
    figure.rows.push_back({point.order, order, std::to_string(tree->height)});
  }
  if (panels.empty()) return std::nullopt;
  constexpr double kHeight = 170;
  figure.spec = vega::spec("Summation trees of the orders", std::move(panels), {.height = kHeight, .columns = 3});
  figure.caption = fmt::format(
      "Dots: additions. Height: additions on the longest path below. Numbers: the terms. Squares: compensated sums of "
      "a "
      "group. Drawn with {} terms; tiles, warps and lanes are scaled down to at most {}. Random stages are drawn "
      "once, arrivals uniform.",
      kDrawnTerms, kDrawnWidth);
  return figure;
}

}  // namespace

extern const Chart kTreesChart;
const Chart kTreesChart{.name = "trees", .title = "Summation trees of the orders", .draw = draw_trees};

}  // namespace orderlab
