// Orders compared at equal n: spread, error, and proven bounds.
#include <fmt/format.h>

#include <algorithm>

#include "orderlab/bounds.hpp"
#include "page/accuracy_rank.hpp"
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
  bool greatest;  ///< the greatest over the inputs; else their root mean square
};

constexpr Kind kKinds[] = {{"spread (sd of the error)", &SumPoint::error_sd, false},
                           {"rms error", &SumPoint::error_rms, false},
                           {"largest error", &SumPoint::error_max_abs, true},
                           {"bound P3, probabilistic", &SumPoint::probabilistic_bound, true},
                           {"bound D1, proven", &SumPoint::running_bound, true}};

constexpr double kLongestLabel = 200;
constexpr double kLetter = 6.5;  // width of one in a label, about

void conclude_moves(const SweepContent& content, const std::string& where, const std::vector<Cell>& cells,
                    Figure& figure) {
  std::vector<Ranked> spreads;
  std::string moved;
  for (const Cell& cell : cells) {
    const auto sd = spread_of(cell, &SumPoint::error_sd);
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
  std::string text = fmt::format("{}{} {} by {} {} (sd){}", where, most.names, most.several ? "move" : "moves",
                                 in_words(most.value), error_unit(content), moved);
  if (!most.all && least.value > 0)
    text += fmt::format(", {} {}", times_as_far(most.value / least.value), least.names);
  else if (!most.all)
    text += fmt::format("; {} {} not move", least.names, least.several ? "do" : "does");
  figure.conclusions.push_back(text + ".");
}

/// The conclusion about one panel.
struct OrdersPanel {
  std::string where;
  std::vector<Cell> cells;
  AccuracyRank rank;
};

std::vector<OrdersPanel> orders_panels(const std::vector<Cell>& all) {
  std::vector<OrdersPanel> panels;
  for (const std::string& facet : facet_names(all)) {
    OrdersPanel panel;
    for (const Cell& cell : all)
      if (cell.facet == facet) panel.cells.push_back(cell);
    panel.where = "At " + place_in_words(panel.cells.front()) + ", ";
    panel.rank = rank_accuracy(panel.cells);
    panels.push_back(std::move(panel));
  }
  return panels;
}

void conclude_errors(const SweepContent& content, const OrdersPanel& panel, Figure& figure) {
  const std::string text = accuracy_in_words(panel.rank, error_unit(content));
  if (!text.empty()) figure.conclusions.push_back(panel.where + text + ".");
}

// Every order against the one with the least rms error.
void add_comparisons(const std::string& facet, const AccuracyRank& rank, Figure& figure) {
  for (std::size_t i = 0; i < rank.orders.size(); ++i) {
    std::vector<std::string> row{facet, rank.orders[i].name, in_words(rank.orders[i].rms, 3), "–", "–", "–"};
    if (i > 0) {
      const PairedWins& wins = rank.most.wins[0][i];
      row[3] = fmt::format("{} of {}", wins.won, wins.won + wins.lost) +
               (wins.tied > 0 ? fmt::format(", {} equal", wins.tied) : std::string());
      row[4] = fmt::format("{:.0f} % to {:.0f} %", 100 * wins.low, 100 * wins.high);
      row[5] = wins.beats() ? "yes" : "no";
    }
    figure.rows.push_back(std::move(row));
  }
}

Json row_of(const Cell& cell, const Kind& kind, double value) {
  return {{"kind", kind.name}, {"order", cell.series}, {"facet", cell.facet}, {"error", vega::number(value)}};
}

Json layer_of(const std::string& unit, const vega::LogRange& range, const std::vector<std::string>& names,
              const std::vector<std::string>& kinds) {
  Json mark{{"x", vega::log_channel("error", unit == "ulp" ? "ulp of the exact sum" : unit, range)},
            {"y", {{"field", "order"}, {"type", "nominal"}, {"title", nullptr}, {"sort", names}}}};
  mark["y"]["axis"] = {{"grid", true}, {"labelLimit", kLongestLabel}};
  vega::add_series(mark, "kind", kinds, true);
  mark["tooltip"] = {
      {{"field", "order"}}, {{"field", "kind"}}, {{"field", "shown"}, {"title", unit}, {"format", ".3~g"}}};
  return {{"mark", {{"type", "point"}, {"filled", false}, {"strokeWidth", 2}, {"size", 60}, {"opacity", 1}}},
          {"encoding", mark}};
}

std::string how_orders_are_ranked() {
  return fmt::format(
      " An order is called more accurate than another if it is nearer to the exact sum on more than half of the "
      "inputs, "
      "by a sign test. The tests of a panel hold together with {} confidence, so that a wrong order is called the most "
      "accurate in at most {:.0f} % of panels [Hsu1984]. Intervals of these shares: [ClopperPearson1934].",
      page_confidence_in_words(), 100 * (1 - kPageConfidence));
}

std::optional<Figure> draw_orders(const SweepContent& content) {
  const std::vector<Cell> cells = compared_cells(content);
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
      rows.push_back(row_of(cell, kind, kind.greatest ? value->greatest : value->rms));
      range.see(kind.greatest ? value->greatest : value->rms);
    }
  if (!(range.greatest > 0)) return std::nullopt;  // other charts say that all is exact
  for (Json& row : rows.elements()) {
    row["shown"] = Json(row["error"]);  // a copy: a new member moves the others
    row["error"] = vega::number(range.place(row["error"].number()));
  }
  Figure figure;
  const std::vector<OrdersPanel> panels = orders_panels(cells);
  for (const OrdersPanel& panel : panels) {
    // one input of the user's own: how far it moves comes first; where n varies another chart says who moves
    const bool errors_first = content.swept;
    if (errors_first) conclude_errors(content, panel, figure);
    conclude_moves(content, panel.where, panel.cells, figure);
    if (!errors_first) conclude_errors(content, panel, figure);
    if (panel.rank.inputs > 1) add_comparisons(panel.cells.front().facet, panel.rank, figure);
  }
  const std::string unit = error_unit(content);
  if (!figure.rows.empty())
    figure.columns = {"", "order", "rms error, " + unit, "the first is nearer on", "interval", "less accurate"};
  const bool fixed = std::none_of(content.points.begin(), content.points.end(), [](const auto& p) { return p.random; });
  figure.leads = !varies(content, axes::kN);
  figure.seconds = fixed;
  const vega::Grid grid{.height = 40.0 + 19.0 * static_cast<double>(names.size()),
                        .columns = facets.size() > 1 ? 2 : 1,
                        .aside = std::min(kLongestLabel, kLetter * static_cast<double>(longest)) - kLetter * 6};
  figure.spec = vega::spec("Orders compared at equal n: spread, largest error and bounds",
                           vega::panels_of(rows, facets, {layer_of(unit, range, names, kinds)}), grid);
  figure.caption = fmt::format(
      "All at {}. Spread: standard deviation over the samples, root mean square over the inputs. Errors are over all "
      "samples and inputs. Marks at 0: exact. P3 [HallmanIpsen2023] holds with probability {} if roundings are random, "
      "D1 [Higham1993] always; some orders have none, and P3 is shown only where it is at least 1 % below D1.{}",
      common_n_in_words(cells), kProbability, figure.rows.empty() ? "" : how_orders_are_ranked());
  return figure;
}

}  // namespace

extern const Chart kOrdersChart;
const Chart kOrdersChart{.name = "orders", .title = "Orders compared at equal n", .draw = draw_orders};

}  // namespace orderlab
