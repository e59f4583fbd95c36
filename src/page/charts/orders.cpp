// Orders beside each other at equal n: how far they move, how far off they are, and what is proven of them.
#include <fmt/format.h>

#include <algorithm>

#include "orderlab/bounds.hpp"
#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

using vega::Json;

struct Kind {
  const char* name;
  Quantity quantity;
  bool greatest;  ///< of the inputs; else their geometric mean
};

constexpr Kind kKinds[] = {{"spread (sd of the error)", &StudyPoint::error_sd, false},
                           {"largest error", &StudyPoint::error_max_abs, true},
                           {"bound P3, probabilistic", &StudyPoint::probabilistic_bound, true},
                           {"bound D1, proven", &StudyPoint::running_bound, true}};

constexpr double kLongestLabel = 200;
constexpr double kLetter = 6.5;  // width of one in a label, about

std::vector<Cell> cells_at_equal_n(const Study& study) {
  std::vector<Cell> cells = cells_of(study);
  std::uint64_t n = 0;
  for (const Cell& cell : cells) n = std::max(n, cell.first().n);
  std::erase_if(cells, [n](const Cell& cell) { return cell.first().n != n; });
  return cells;
}

void conclude(const std::string& facet, const std::vector<Cell>& cells, Figure& figure) {
  std::vector<std::pair<double, std::string>> moves;
  std::vector<std::pair<double, std::string>> errors;
  for (const Cell& cell : cells) {
    if (cell.facet != facet) continue;
    if (const auto sd = spread_of(cell, &StudyPoint::error_sd)) moves.emplace_back(sd->geometric_mean, cell.series);
    if (const auto error = spread_of(cell, &StudyPoint::error_max_abs))
      errors.emplace_back(error->greatest, cell.series);
  }
  std::sort(moves.rbegin(), moves.rend());
  std::sort(errors.begin(), errors.end());
  const std::string where = facet.empty() ? "" : facet + ": ";
  if (!moves.empty()) {
    std::string text = fmt::format("{}{} moves by {} ulp (sd)", where, moves[0].second, in_words(moves[0].first));
    if (moves.size() > 1)
      text += fmt::format(", {} {}", times_as_far(moves[0].first / moves.back().first), moves.back().second);
    figure.conclusions.push_back(text + ".");
  }
  if (errors.size() > 1)
    figure.conclusions.push_back(fmt::format("{}{} is the most accurate, {} ulp off at most; {} is {} ulp off.", where,
                                             errors[0].second, in_words(errors[0].first), errors.back().second,
                                             in_words(errors.back().first)));
}

Json row_of(const Cell& cell, const Kind& kind, double value) {
  return {{"kind", kind.name}, {"order", cell.series}, {"facet", cell.facet}, {"ulp", vega::number(value)}};
}

std::optional<Figure> draw(const Study& study) {
  const std::vector<Cell> cells = cells_at_equal_n(study);
  const std::vector<std::string> names = series_names(cells);
  const std::vector<std::string> facets = facet_names(cells);
  std::size_t longest = 6;  // as an axis with numbers
  for (const std::string& name : names) longest = std::max(longest, name.size());
  if (names.size() < 2) return std::nullopt;
  Json rows = Json::array();
  vega::LogRange range;
  std::vector<std::string> kinds;
  for (const Kind& kind : kKinds)
    for (const Cell& cell : cells) {
      const auto value = spread_of(cell, kind.quantity);
      if (!value) continue;
      if (kinds.empty() || kinds.back() != kind.name) kinds.emplace_back(kind.name);
      rows.push_back(row_of(cell, kind, kind.greatest ? value->greatest : value->geometric_mean));
      range.see(kind.greatest ? value->greatest : value->geometric_mean);
    }
  if (range.empty()) return std::nullopt;
  Json mark{{"x", vega::log_channel("ulp", "ulp of the exact sum", range)},
            {"y", {{"field", "order"}, {"type", "nominal"}, {"title", nullptr}, {"sort", names}}}};
  mark["y"]["axis"] = {{"grid", true}, {"labelLimit", kLongestLabel}};
  vega::add_series(mark, "kind", kinds, true);
  mark["tooltip"] = {{{"field", "order"}}, {{"field", "kind"}}, {{"field", "ulp"}, {"format", ".3~g"}}};
  Figure figure;
  for (const std::string& facet : facets) conclude(facet, cells, figure);
  figure.leads = !varies(study, axes::kN);
  const Json point{{"mark", {{"type", "point"}, {"filled", true}, {"size", 75}, {"opacity", 0.95}}},
                   {"encoding", mark}};
  const vega::Grid grid{.height = 40.0 + 19.0 * static_cast<double>(names.size()),
                        .columns = facets.size() > 1 ? 2 : 1,
                        .aside = std::min(kLongestLabel, kLetter * static_cast<double>(longest)) - kLetter * 6};
  figure.spec = vega::spec("Orders compared at equal n: spread, largest error and bounds, in ulps",
                           vega::panels_of(rows, facets, {point}), grid);
  figure.caption = fmt::format(
      "All at n = {}. Spread: standard deviation of the error over the samples, geometric mean over the inputs; no "
      "mark "
      "where there is one result. Largest error: of all samples and inputs. P3 [HallmanIpsen2023] holds with "
      "probability "
      "{} if roundings behave as random, D1 [Higham1993] always; none is derived for some orders.",
      count_in_words(cells.front().first().n), kProbability);
  return figure;
}

}  // namespace

extern const Chart kOrdersChart;
const Chart kOrdersChart{.name = "orders", .title = "Orders compared at equal n", .draw = draw};

}  // namespace orderlab
