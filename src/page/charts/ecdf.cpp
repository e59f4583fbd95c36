// Distribution functions of the magnitude of the error, with the bounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/error_shape.hpp"
#include "page/number_words.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostSeries = 8;  // colors that can be told apart
constexpr std::size_t kMostFacets = 12;

// Random orders first; fixed ones where there is room for their step.
std::vector<std::string> chosen_series(const std::vector<Cell>& cells) {
  std::vector<std::string> chosen;
  for (const bool random : {true, false})
    for (const Cell& cell : cells)
      if (cell.first().random == random && !cell.first().errors.empty() && chosen.size() < kMostSeries &&
          std::find(chosen.begin(), chosen.end(), cell.series) == chosen.end())
        chosen.push_back(cell.series);
  return chosen;
}

void add_bound(const Cell& cell, const char* kind, std::optional<double> bound, Json& rows, vega::LogRange& range) {
  if (!bound || !std::isfinite(*bound)) return;
  range.see(*bound);
  rows.push_back({{"kind", kind}, {"series", cell.series}, {"facet", cell.facet}, {"error", vega::number(*bound)}});
}

/// Steps of all curves together: what a page can hold.
constexpr std::size_t kSteps = 5000;

std::size_t steps_of_each(std::size_t curves) {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 200;
  return std::clamp(kSteps / std::max<std::size_t>(curves, 1), kLeast, kMost);
}

void add_steps(const Cell& cell, std::size_t most, Json& rows, vega::LogRange& range) {
  bool first = true;
  for (const EcdfStep& step : ecdf_of_magnitude(middles_of(cell.first().errors), most)) {
    range.see(step.magnitude);
    const auto row = [&](double fraction) {
      rows.push_back({{"kind", "ecdf"},
                      {"series", cell.series},
                      {"facet", cell.facet},
                      {"error", vega::number(step.magnitude)},
                      {"fraction", vega::number(fraction)}});
    };
    if (first) row(0);
    first = false;
    row(step.fraction);
  }
}

// Says for all points together whether P3, which rests on an assumption, was exceeded, and else who came nearest.
void conclude_ecdf(const SweepContent& content, Figure& figure) {
  const SumPoint* worst = nullptr;
  double share = 0;
  std::size_t bounded = 0;
  std::size_t exceeded = 0;
  for (const SumPoint& point : content.points) {
    if (!point.probabilistic_bound || !point.error_max_abs) continue;
    ++bounded;
    const double part = *point.error_max_abs / *point.probabilistic_bound;
    exceeded += part > 1 ? 1U : 0U;
    if (part <= share) continue;
    share = part;
    worst = &point;
  }
  if (worst == nullptr) return;
  constexpr int kDigits = 3;  // near a bound two do not tell which is larger
  const std::string who = fmt::format("{} at n = {}, {}, {}", worst->order, count_in_words(worst->n), worst->terms,
                                      to_string(worst->formats));
  const std::string unit = error_unit(content);
  const std::string sizes = fmt::format("{} of {} {}", in_words(*worst->error_max_abs, kDigits),
                                        in_words(*worst->probabilistic_bound, kDigits), unit);
  std::string text =
      exceeded > 0
          ? fmt::format(
                "The largest error exceeds P3, a bound that assumes random roundings, in {} of {} points, at worst "
                "{} times: {} ({})",
                exceeded, bounded, in_words(share, kDigits), who, sizes)
          : fmt::format("No error exceeds the probabilistic bound P3; the closest is {}: {}", who, sizes);
  if (worst->running_bound)
    text += fmt::format("; the proven bound D1 is {} {}", in_words(*worst->running_bound), unit);
  figure.conclusions.push_back(text + ".");
}

std::vector<Json> layers_of(const std::string& unit, const vega::LogRange& range,
                            const std::vector<std::string>& series, const std::vector<std::string>& all) {
  Json step{{"x", vega::log_channel("error", "|error|, " + unit, range)},
            {"y", {{"field", "fraction"}, {"type", "quantitative"}, {"title", "cumulative fraction of samples"}}}};
  vega::add_series(step, "series", series, false, all);
  Json bound{{"x", step["x"]}, {"color", step["color"]}};
  bound["tooltip"] = {{{"field", "series"}, {"title", "order"}},
                      {{"field", "kind"}, {"title", "bound"}},
                      {{"field", "error"}, {"title", unit}, {"format", ".3~g"}}};
  step["tooltip"] = {{{"field", "series"}, {"title", "order"}},
                     {{"field", "shown"}, {"title", unit}, {"format", ".3~g"}},
                     {{"field", "fraction"}, {"format", ".3~g"}}};
  return {vega::layer("D1", {{"type", "rule"}, {"strokeDash", {2, 3}}, {"opacity", 0.8}}, bound),
          vega::layer("P3", {{"type", "rule"}, {"strokeDash", {7, 4}}, {"opacity", 0.8}}, bound),
          vega::layer("ecdf", {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 2}}, step)};
}

std::optional<Figure> draw_ecdf(const SweepContent& content) {
  const std::vector<Cell> cells = compared_cells(content);
  const std::vector<std::string> series = chosen_series(cells);
  std::vector<std::string> facets = facet_names(cells);
  if (facets.size() > kMostFacets) facets.resize(kMostFacets);
  const std::size_t steps = steps_of_each(series.size() * facets.size());
  Json rows = Json::array();
  vega::LogRange range;
  for (const Cell& cell : cells) {
    if (std::find(series.begin(), series.end(), cell.series) == series.end() || cell.first().errors.empty() ||
        std::find(facets.begin(), facets.end(), cell.facet) == facets.end())
      continue;
    add_steps(cell, steps, rows, range);
    add_bound(cell, "P3", cell.first().probabilistic_bound, rows, range);
    add_bound(cell, "D1", cell.first().running_bound, rows, range);
  }
  if (!(range.greatest > 0)) return std::nullopt;
  Json placed = Json::array();
  for (Json& row : rows.elements()) {
    const bool exact = row["kind"] == "ecdf" && row["error"].number() == 0;
    row["shown"] = Json(row["error"]);  // a copy: a new member moves the others
    row["error"] = vega::number(range.place(row["error"].number()));
    placed.push_back(row);
    if (!exact || row["fraction"].number() < 1) continue;
    row["error"] = vega::number(range.greatest);  // an order without an error: 1 from 0 on
    placed.push_back(std::move(row));
  }
  std::vector<std::string> all = series_names(cells);
  if (all.size() > kMostSeries) all.clear();  // colors of the page would come twice
  Figure figure;
  conclude_ecdf(content, figure);
  figure.spec = vega::spec("Distribution functions of the magnitude of the error, with bounds",
                           vega::panels_of(placed, facets, layers_of(error_unit(content), range, series, all)), {});
  figure.caption = fmt::format(
      "The first input at {}. Vertical lines: bounds of the order of that color, dashed P3 (probabilistic, assumes "
      "random "
      "roundings [HallmanIpsen2023]; only where it is at least 1 % below D1), dotted D1 (proven [Higham1993]).",
      common_n_in_words(cells));
  return figure;
}

}  // namespace

extern const Chart kEcdfChart;
const Chart kEcdfChart{.name = "ecdf", .title = "Cumulative distribution of |error|", .draw = draw_ecdf};

}  // namespace orderlab
