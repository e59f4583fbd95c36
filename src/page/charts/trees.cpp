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

using vega::Json;

constexpr std::size_t kMostTrees = 15;

void add(Json& rows, const std::string& panel, const TreeDrawing& drawing) {
  for (const TreeEdge& edge : drawing.edges) {
    const TreePoint& parent = drawing.points[edge.parent];
    const TreePoint& child = drawing.points[edge.child];
    rows.push_back(
        {{"kind", "edge"}, {"facet", panel}, {"x", child.x}, {"y", child.y}, {"x2", parent.x}, {"y2", parent.y}});
  }
  for (const TreePoint& point : drawing.points)
    rows.push_back({{"kind", point.leaf          ? "term"
                             : point.compensated ? "compensated"
                                                 : "sum"},
                    {"facet", panel},
                    {"x", point.x},
                    {"y", point.y},
                    {"term", point.leaf ? Json(std::to_string(point.term)) : Json(nullptr)}});
}

Json spec_of(const Json& rows, const std::vector<std::string>& panels) {
  const Json x{{"field", "x"}, {"type", "quantitative"}, {"title", nullptr}, {"axis", nullptr}};
  Json y{{"field", "y"},
         {"type", "quantitative"},
         {"title", "additions"},
         {"axis", {{"tickMinStep", 1}, {"tickCount", 4}}}};
  Json edge{{"x", x}, {"y", y}, {"x2", {{"field", "x2"}}}, {"y2", {{"field", "y2"}}}};
  Json label{{"x", x}, {"y", y}, {"text", {{"field", "term"}}}};
  vega::Facets facets{panels, true, true, 190};
  return vega::spec(
      "Summation trees of the orders", rows,
      {vega::layer("edge", {{"type", "rule"}, {"style", "edge"}}, edge),
       vega::layer("sum", {{"type", "point"}, {"filled", true}, {"size", 22}, {"opacity", 1}}, {{"x", x}, {"y", y}}),
       vega::layer("compensated", {{"type", "square"}, {"filled", true}, {"size", 70}, {"opacity", 1}},
                   {{"x", x}, {"y", y}}),
       vega::layer("term", {{"type", "text"}, {"style", "leaf"}, {"dy", 8}}, label)},
      facets);
}

std::optional<Figure> draw(const Study& study) {
  Json rows = Json::array();
  std::vector<std::string> panels;
  std::vector<std::string> drawn;
  Figure figure;
  figure.columns = {"order", "drawn as", "height"};
  for (const StudyPoint& point : study.points) {
    const std::string order = drawn_order(point.expression);
    if (std::find(drawn.begin(), drawn.end(), order) != drawn.end() || drawn.size() == kMostTrees) continue;
    const auto tree = small_tree(order, point.seed);
    if (!tree) continue;
    drawn.push_back(order);
    panels.push_back(fmt::format("{}, height {}", point.order, tree->height));
    add(rows, panels.back(), *tree);
    figure.rows.push_back({point.order, order, std::to_string(tree->height)});
  }
  if (panels.empty()) return std::nullopt;
  figure.spec = spec_of(rows, panels);
  figure.caption = fmt::format(
      "Every dot is an addition of what hangs below it, numbers are those of the terms; squares are compensated sums "
      "of a "
      "whole group. {} terms, and where an order has tiles, warps or lanes they are {} wide here, so that the picture "
      "has "
      "several; random stages as one seed draws them, arrivals uniform.",
      kDrawnTerms, 4);
  return figure;
}

}  // namespace

extern const Chart kTreesChart;
const Chart kTreesChart{.name = "trees", .title = "What the orders do", .draw = draw};

}  // namespace orderlab
