// Orders beside each other at equal n: how far they move, how far off they are, and what is proven of them.
#include <fmt/format.h>

#include <algorithm>

#include "orderlab/bounds.hpp"
#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/ranking.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

struct Kind {
  const char* name;
  Quantity quantity;
  bool greatest;  ///< of the inputs; else their root mean square
};

constexpr Kind kKinds[] = {{"spread (sd of the error)", &StudyPoint::error_sd, false},
                           {"rms error", &StudyPoint::error_rms, false},
                           {"largest error", &StudyPoint::error_max_abs, true},
                           {"bound P3, probabilistic", &StudyPoint::probabilistic_bound, true},
                           {"bound D1, proven", &StudyPoint::running_bound, true}};

constexpr double kLongestLabel = 200;
constexpr double kLetter = 6.5;  // width of one in a label, about

void conclude_moves(const std::string& where, const std::vector<Cell>& cells, Figure& figure) {
  std::vector<Ranked> spreads;
  std::string moved;
  for (const Cell& cell : cells) {
    const auto sd = spread_of(cell, &StudyPoint::error_sd);
    if (!sd) continue;
    const bool most = std::all_of(spreads.begin(), spreads.end(), [&](const Ranked& r) { return r.value < sd->rms; });
    if (most) moved = moved_in_words(*sd);
    spreads.push_back({sd->rms, cell.series});
  }
  if (spreads.empty()) return;
  const Tie most = greatest_of(spreads, "random orders");
  const Tie least = least_of(spreads, "random orders");
  if (!(most.value > 0)) {
    if (most.several) figure.conclusions.push_back(fmt::format("{}{} do not move.", where, most.names));
    return;
  }
  std::string text = fmt::format("{}{} {} by {} ulp (sd){}", where, most.names, most.several ? "move" : "moves",
                                 in_words(most.value), moved);
  if (!most.all && least.value > 0)
    text += fmt::format(", {} {}", times_as_far(most.value / least.value), least.names);
  else if (!most.all)
    text += fmt::format("; {} {} not move", least.names, least.several ? "do" : "does");
  figure.conclusions.push_back(text + ".");
}

// Ranked by the root mean square over samples and inputs: the largest error may be that of one bad input.
void conclude_errors(const std::string& where, const std::vector<Cell>& cells, Figure& figure) {
  std::vector<Ranked> errors;
  for (const Cell& cell : cells)
    if (const auto error = spread_of(cell, &StudyPoint::error_rms); error && not_finite_of(cell) == 0)
      errors.push_back({error->rms, cell.series});
  if (errors.size() < 2) return;
  const Tie best = least_of(errors);
  const Tie worst = greatest_of(errors);
  std::string text = fmt::format("{}{} {} ", where, best.names, best.is());
  if (best.all)
    text += best.value > 0 ? fmt::format("equally accurate, {} ulp off (rms)", in_words(best.value)) : "exact";
  else if (best.value > 0)
    text += fmt::format("the most accurate, {} ulp off (rms); {} {} {} ulp off", in_words(best.value), worst.names,
                        worst.is(), in_words(worst.value));
  else
    text +=
        fmt::format("the most accurate: exact; {} {} {} ulp off (rms)", worst.names, worst.is(), in_words(worst.value));
  figure.conclusions.push_back(text + ".");
}

// Where n varies another chart says who moves.
void conclude_orders(const std::string& facet, const std::vector<Cell>& all, bool errors_first, Figure& figure) {
  std::vector<Cell> cells;
  for (const Cell& cell : all)
    if (cell.facet == facet) cells.push_back(cell);
  const std::string where = "At " + place_in_words(cells.front()) + ", ";
  if (errors_first) conclude_errors(where, cells, figure);
  conclude_moves(where, cells, figure);
  if (!errors_first) conclude_errors(where, cells, figure);
}

Json row_of(const Cell& cell, const Kind& kind, double value) {
  return {{"kind", kind.name}, {"order", cell.series}, {"facet", cell.facet}, {"ulp", vega::number(value)}};
}

Json layer_of(const vega::LogRange& range, const std::vector<std::string>& names,
              const std::vector<std::string>& kinds) {
  Json mark{{"x", vega::log_channel("ulp", "ulp of the exact sum", range)},
            {"y", {{"field", "order"}, {"type", "nominal"}, {"title", nullptr}, {"sort", names}}}};
  mark["y"]["axis"] = {{"grid", true}, {"labelLimit", kLongestLabel}};
  vega::add_series(mark, "kind", kinds, true);
  mark["tooltip"] = {{{"field", "order"}}, {{"field", "kind"}}, {{"field", "ulp"}, {"format", ".3~g"}}};
  return {{"mark", {{"type", "point"}, {"filled", false}, {"strokeWidth", 2}, {"size", 60}, {"opacity", 1}}},
          {"encoding", mark}};
}

std::optional<Figure> draw_orders(const Study& study) {
  const std::vector<Cell> cells = compared_cells(study);
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
      if (!value || value->moved == 0) continue;
      if (kinds.empty() || kinds.back() != kind.name) kinds.emplace_back(kind.name);
      rows.push_back(row_of(cell, kind, kind.greatest ? value->greatest : value->rms));
      range.see(kind.greatest ? value->greatest : value->rms);
    }
  if (range.empty()) return std::nullopt;
  Figure figure;
  for (const std::string& facet : facets) conclude_orders(facet, cells, varies(study, axes::kN), figure);
  figure.leads = !varies(study, axes::kN);
  const vega::Grid grid{.height = 40.0 + 19.0 * static_cast<double>(names.size()),
                        .columns = facets.size() > 1 ? 2 : 1,
                        .aside = std::min(kLongestLabel, kLetter * static_cast<double>(longest)) - kLetter * 6};
  figure.spec = vega::spec("Orders compared at equal n: spread, largest error and bounds, in ulps",
                           vega::panels_of(rows, facets, {layer_of(range, names, kinds)}), grid);
  figure.caption = fmt::format(
      "All at {}. Spread: standard deviation of the error over the samples, root mean square over the inputs; no mark "
      "where there is one result. Errors are over all samples and inputs; an order without any error has no mark of "
      "one. P3 [HallmanIpsen2023] holds with "
      "probability "
      "{} if roundings behave as random, D1 [Higham1993] always; none is derived for some orders, and P3 is shown only "
      "where it is below D1.",
      common_n_in_words(cells), kProbability);
  return figure;
}

}  // namespace

extern const Chart kOrdersChart;
const Chart kOrdersChart{.name = "orders", .title = "Orders compared at equal n", .draw = draw_orders};

}  // namespace orderlab
