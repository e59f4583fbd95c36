// Errors by format.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/ranking.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

struct FormatsDrawing {
  Json rows = Json::array();
  vega::LogRange range;
  std::vector<std::string> series;
  std::vector<std::string> facets;
};

// Facets without the format: it has the axis.
std::vector<Cell> cells_by_format(const SweepContent& content) { return compared_cells(content, &axes::kFormat); }

void add(FormatsDrawing& drawing, const Cell& cell, Quantity measured) {
  const auto error = spread_of(cell, measured);
  if (!error) return;
  if (std::find(drawing.series.begin(), drawing.series.end(), cell.series) == drawing.series.end())
    drawing.series.push_back(cell.series);
  if (std::find(drawing.facets.begin(), drawing.facets.end(), cell.facet) == drawing.facets.end())
    drawing.facets.push_back(cell.facet);
  const double u = info(cell.first().formats.result).unit_roundoff();
  drawing.range.see(error->greatest);
  drawing.range.see(u);
  const std::string format = to_string(cell.first().formats);
  drawing.rows.push_back({{"kind", "error"},
                          {"format", format},
                          {"series", cell.series},
                          {"facet", cell.facet},
                          {"error", vega::number(error->greatest)},
                          {"shown", vega::number(error->greatest)}});
  Json unit{{"kind", "u"}, {"format", format}, {"facet", cell.facet}, {"error", vega::number(u)}};
  if (std::find(drawing.rows.begin(), drawing.rows.end(), unit) == drawing.rows.end())
    drawing.rows.push_back(std::move(unit));
}

// The least and the greatest of the largest errors: numbers of these inputs, no ranking.
void conclude_formats(const SweepContent& content, const std::vector<Cell>& cells, Figure& figure) {
  for (const std::string& facet : facet_names(cells)) {
    std::vector<Ranked> errors;
    for (const Cell& cell : cells) {
      const auto error = cell.facet == facet ? spread_of(cell, measures_of(content).error) : std::nullopt;
      if (!error || not_finite_of(cell) > 0) continue;
      errors.push_back({error->greatest, fmt::format("{} in {}", cell.series, to_string(cell.first().formats))});
    }
    if (errors.size() < 2) continue;
    const Tie best = least_of(errors, "sums");
    const Tie worst = greatest_of(errors, "sums");
    const auto at = std::find_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.facet == facet; });
    std::string text = "At " + place_in_words(*at) + ", ";
    if (!(worst.value > 0))
      text += fmt::format("{} {} exact", worst.names, worst.is());
    else if (best.all)
      text += fmt::format("the largest error of {} is {}", best.names, part_of_sum(best.value, whole_of(content)));
    else
      text += fmt::format("the largest errors range from {} ({}) to {} ({})", part_in_words(best.value), best.names,
                          part_of_sum(worst.value, whole_of(content)), worst.names);
    figure.conclusions.push_back(text + ".");
  }
}

std::optional<Figure> draw_formats(const SweepContent& content) {
  if (!varies(content, axes::kFormat)) return std::nullopt;
  const std::vector<Cell> cells = cells_by_format(content);
  FormatsDrawing drawing;
  for (const Cell& cell : cells) add(drawing, cell, measures_of(content).error);
  if (drawing.rows.empty()) return std::nullopt;
  for (Json& row : drawing.rows.elements()) {
    if (row["kind"] == "error" && row["error"].number() == 0) row["kind"] = "zero";
    row["error"] = vega::number(drawing.range.place(row["error"].number()));
  }
  const std::vector<std::string> formats = values_of(content, axes::kFormat);
  Json mark{{"x",
             {{"field", "format"},
              {"type", "nominal"},
              {"title", "format"},
              {"sort", formats},
              {"axis", {{"labelAngle", 0}}}}},
            {"y", vega::log_channel("error", content.near_zero ? "largest error / sum|x|" : "largest relative error",
                                    drawing.range)}};
  const Json unit = mark;
  mark["xOffset"] = {{"field", "series"}, {"type", "nominal"}, {"sort", drawing.series}};
  vega::add_series(mark, "series", drawing.series, true, series_names(cells));
  mark["tooltip"] = {{{"field", "series"}, {"title", "order"}},
                     {{"field", "format"}},
                     {{"field", "shown"}, {"title", "error"}, {"format", ".3~g"}}};
  Figure figure;
  conclude_formats(content, cells, figure);
  const std::vector<Json> layers{
      vega::layer("u", {{"type", "tick"}, {"style", "unit"}, {"thickness", 2}, {"size", 90}}, unit),
      vega::layer("error", {{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}}, mark),
      vega::layer("zero", {{"type", "point"}, {"filled", false}, {"strokeWidth", 2}, {"size", 80}, {"opacity", 1}},
                  mark)};
  figure.spec =
      vega::spec("Largest relative error by format", vega::panels_of(drawing.rows, drawing.facets, layers), {});
  figure.caption = fmt::format(
      "Largest |computed − exact| / {} over samples and inputs, at {}. Hollow marks at 0: exact on all inputs. Grey "
      "ticks: u, the unit roundoff of the result's format. Sums that overflow have no mark.",
      content.near_zero ? "sum|x|" : "|exact|", common_n_in_words(cells));
  return figure;
}

}  // namespace

extern const Chart kFormatsChart;
const Chart kFormatsChart{.name = "formats", .title = "Formats compared", .draw = draw_formats};

}  // namespace orderlab
