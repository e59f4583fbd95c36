#include "page/operation_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/text.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/point_table.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

std::string operation_words(const Axis& axis, const OperationPoint& point) {
  if (&axis == &axes::kBaseline) return "against " + std::string(study::name_of(point.measures.baseline));
  if (&axis == &axes::kArrival) return point.arrival_model;
  if (&axis == &axes::kSamples) return count_in_words(point.asked) + " samples";
  const std::string text = text_on(axis, point);
  return axis.kind == AxisKind::text || text.empty() ? text : std::string(axis.name) + " = " + text;
}

bool operations_vary(const Study& study, const Axis& axis) {
  std::set<std::string> words;
  for (const OperationPoint& point : study.operations) words.insert(operation_words(axis, point));
  return words.size() > 1;
}

void join(std::string& names, const std::string& separator, const std::string& name) {
  if (!name.empty()) names += (names.empty() ? "" : separator) + name;
}

double place_of(const OperationPoint& point, OperationSize over) {
  if (over == OperationSize::outputs) return static_cast<double>(point.outputs);
  return read_real(point.ratio).value_or(NAN);
}

std::vector<std::string> names_of(const std::vector<OperationCell>& cells, std::string OperationCell::*name) {
  std::vector<std::string> names;
  for (const OperationCell& cell : cells)
    if (std::find(names.begin(), names.end(), cell.*name) == names.end()) names.push_back(cell.*name);
  return names;
}

std::string percent_in_words(double share) { return in_words(100 * share) + " %"; }

Json cell_rows(const OperationCell& cell) {
  const double sd = cell.sd().value_or(0);
  Json rows = Json::array();
  rows.push_back({{"kind", "point"},
                  {"facet", cell.facet},
                  {"series", cell.series},
                  {"x", vega::number(cell.x)},
                  {"y", vega::number(cell.vc())},
                  {"low", vega::number(std::max(0.0, cell.vc() - sd))},
                  {"high", vega::number(cell.vc() + sd)},
                  {"sd", vega::number(sd)},
                  {"kernel", cell.first().kernel}});
  if (const auto expected = cell.expected())
    rows.push_back({{"kind", "expected"},
                    {"facet", cell.facet},
                    {"series", cell.series},
                    {"x", vega::number(cell.x)},
                    {"y", vega::number(*expected)}});
  return rows;
}

Json vc_channel() {
  return {{"field", "y"},
          {"type", "quantitative"},
          {"title", "Vc"},
          {"scale", {{"zero", true}}},
          {"axis", {{"format", "~p"}}}};
}

Json vc_spec(const std::vector<OperationCell>& cells, OperationSize over) {
  const std::string title = over == OperationSize::outputs ? "outputs" : "ratio R of the index";
  vega::LogRange range;
  Json rows = Json::array();
  for (const OperationCell& cell : cells) {
    range.see(cell.x);
    for (const Json& row : cell_rows(cell)) rows.push_back(row);
  }
  const std::vector<std::string> series = names_of(cells, &OperationCell::series);
  Json place{
      {"x", over == OperationSize::outputs ? vega::log_channel("x", title, range) : vega::linear_channel("x", title)},
      {"y", vc_channel()}};
  if (over == OperationSize::ratio) {
    std::set<double> ratios;
    for (const OperationCell& cell : cells) ratios.insert(cell.x);
    place["x"]["axis"] = {{"values", std::vector<double>(ratios.begin(), ratios.end())}, {"labelOverlap", true}};
  }
  Json line = place;
  vega::add_series(line, "series", series, false);
  Json bar = line;
  bar["y"]["field"] = "low";
  bar["y2"] = {{"field", "high"}};
  Json point = line;
  vega::add_series(point, "series", series, true);
  point["tooltip"] = {{{"field", "series"}},
                      {{"field", "x"}, {"title", title}, {"format", ".6~g"}},
                      {{"field", "y"}, {"title", "Vc, mean"}, {"format", ".3~g"}},
                      {{"field", "sd"}, {"title", "Vc, sd"}, {"format", ".2~g"}},
                      {{"field", "kernel"}}};
  Json expected = line;
  expected["tooltip"] = {{{"field", "series"}}, {{"field", "y"}, {"title", "exact mean of Vc"}, {"format", ".4~g"}}};
  const std::vector<Json> layers{
      vega::layer("point", {{"type", "rule"}, {"opacity", 0.35}, {"strokeWidth", 2}}, bar),
      vega::layer("point", {{"type", "line"}, {"strokeWidth", 1.5}}, line),
      vega::layer("point", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}, point),
      vega::layer("expected", {{"type", "point"}, {"shape", "stroke"}, {"strokeWidth", 2}, {"size", 260}}, expected)};
  return vega::spec("Vc against " + title, vega::panels_of(rows, names_of(cells, &OperationCell::facet), layers), {});
}

// The facets, that with the greatest Vc at its largest x first.
std::vector<std::string> by_greatest_vc(const std::vector<OperationCell>& cells) {
  std::map<std::string, std::pair<double, double>> last;  // x, Vc
  for (const OperationCell& cell : cells) {
    std::pair<double, double>& at = last.try_emplace(cell.facet, cell.x, cell.vc()).first->second;
    at = std::max(at, {cell.x, cell.vc()});
  }
  std::vector<std::string> facets = names_of(cells, &OperationCell::facet);
  std::stable_sort(facets.begin(), facets.end(),
                   [&](const std::string& a, const std::string& b) { return last.at(a).second > last.at(b).second; });
  return facets;
}

// Of one facet at its largest x: who varies most.
std::string conclusion_of(const std::vector<OperationCell>& cells, const std::string& facet, OperationSize over) {
  double at = 0;
  for (const OperationCell& cell : cells)
    if (cell.facet == facet) at = std::max(at, cell.x);
  std::vector<const OperationCell*> here;
  for (const OperationCell& cell : cells)
    if (cell.facet == facet && cell.x == at) here.push_back(&cell);
  const auto by_vc = [](const OperationCell* a, const OperationCell* b) { return a->vc() < b->vc(); };
  const OperationCell& most = **std::max_element(here.begin(), here.end(), by_vc);
  const OperationCell& least = **std::min_element(here.begin(), here.end(), by_vc);
  const std::string name = most.series.empty() ? most.first().op : most.series;
  std::string text = over == OperationSize::outputs
                         ? fmt::format("With {} outputs", count_in_words(static_cast<std::uint64_t>(at)))
                         : fmt::format("At R = {}", at);
  join(text, ", ", facet);
  if (!(most.vc() > 0)) return text + ", no output differs from the baseline in any sample.";
  text += fmt::format(", {} of the outputs differ from the baseline on average", percent_in_words(most.vc()));
  if (const auto sd = most.sd()) text += fmt::format(" (sd {})", percent_in_words(*sd));
  if (least.vc() < most.vc())
    text += fmt::format(" with {}, and {} with {}", name, percent_in_words(least.vc()), least.series);
  else if (here.size() == 1 && names_of(cells, &OperationCell::series).size() > 1)
    text += " with " + name;
  if (!(most.first().measures.can_vary > 0)) return text + "; no arrival order changes that: it is the method.";
  if (const auto expected = most.expected())
    text += fmt::format("; the exact mean over all arrival orders is {}", percent_in_words(*expected));
  return text + ".";
}

}  // namespace

double OperationCell::vc() const {
  double sum = 0;
  for (const OperationPoint* point : points) sum += point->measures.vc.mean;
  return sum / static_cast<double>(points.size());
}

std::optional<double> OperationCell::sd() const {
  double squares = 0;
  for (const OperationPoint* point : points) {
    if (!point->measures.vc.sd) return std::nullopt;
    squares += *point->measures.vc.sd * *point->measures.vc.sd;
  }
  return std::sqrt(squares / static_cast<double>(points.size()));
}

std::optional<double> OperationCell::expected() const {
  double sum = 0;
  for (const OperationPoint* point : points) {
    if (!point->measures.vc_expected) return std::nullopt;
    sum += *point->measures.vc_expected;
  }
  return sum / static_cast<double>(points.size());
}

std::vector<OperationCell> operation_cells(const Study& study, OperationSize over) {
  const Axis& other = over == OperationSize::outputs ? axes::kRatio : axes::kShape;
  std::vector<const Axis*> series;
  for (const Axis* axis : {&axes::kOp, &axes::kOrder, &axes::kArrival})
    if (operations_vary(study, *axis)) series.push_back(axis);
  std::vector<const Axis*> facets;
  for (const Axis* axis : axes_in_operation_json()) {
    const bool named = axis == &axes::kOp || axis == &axes::kOrder || axis == &axes::kArrival;
    const bool is_x = axis == (over == OperationSize::outputs ? &axes::kShape : &axes::kRatio);
    if (named || is_x || axis->role == AxisRole::input || axis->role == AxisRole::none) continue;
    if (!operations_vary(study, *axis)) continue;
    (axis == &other && series.empty() ? series : facets).push_back(axis);
  }
  std::vector<OperationCell> cells;
  std::map<std::tuple<std::string, std::string, double>, std::size_t> places;
  for (const OperationPoint& point : study.operations) {
    OperationCell cell{{}, {}, place_of(point, over), {}};
    if (!std::isfinite(cell.x)) continue;
    for (const Axis* axis : series) join(cell.series, " · ", operation_words(*axis, point));
    for (const Axis* axis : facets) join(cell.facet, ", ", operation_words(*axis, point));
    if (cell.series.empty()) cell.series = point.op;
    const auto [place, added] = places.try_emplace({cell.series, cell.facet, cell.x}, cells.size());
    if (added) cells.push_back(std::move(cell));
    cells[place->second].points.push_back(&point);
  }
  return cells;
}

std::optional<Figure> vc_figure(const Study& study, OperationSize over) {
  const std::vector<OperationCell> cells = operation_cells(study, over);
  std::set<double> sizes;
  for (const OperationCell& cell : cells) sizes.insert(cell.x);
  if (sizes.size() < 2) return std::nullopt;
  Figure figure;
  figure.leads = study.points.empty() && over == OperationSize::outputs;
  figure.seconds = !study.points.empty();
  figure.spec = vc_spec(cells, over);
  figure.caption =
      "Vc: share of the outputs with other bits than the baseline, of all outputs [Shanmugavelu2024]. Marks: mean over "
      "the samples and inputs. Bars: one standard deviation of single samples to either side. Dashes: the exact mean "
      "over all arrival orders, equally likely, where it is known.";
  for (const std::string& facet : by_greatest_vc(cells))
    figure.conclusions.push_back(conclusion_of(cells, facet, over));
  figure.headline = by_greatest_vc(cells).front();
  figure.answers = 2;
  return figure;
}

std::string operation_table(const Study& study) {
  if (study.operations.empty()) return {};
  std::vector<const Axis*> shown;
  for (const Axis* axis : axes_in_operation_json())
    if (axis == &axes::kOp || (axis != &axes::kSamples && operations_vary(study, *axis))) shown.push_back(axis);
  std::vector<std::string> columns;
  for (const Axis* axis : shown) columns.emplace_back(axis->chart_title.empty() ? axis->name : axis->chart_title);
  for (const char* title : {"kernel", "outputs", "samples", "can vary", "Vc", "sd of Vc", "exact mean", "method offset",
                            "Vermv / sum|x|", "largest error, ulp", "different outputs"})
    columns.emplace_back(title);
  std::vector<std::vector<std::string>> rows;
  for (const OperationPoint& point : study.operations) {
    if (rows.size() == kTableRows) break;
    const study::OperationMeasures& m = point.measures;
    std::vector<std::string>& row = rows.emplace_back();
    for (const Axis* axis : shown) row.push_back(text_on(*axis, point));
    const auto or_dash = [](const std::optional<double>& value) { return value ? in_words(*value, 3) : "–"; };
    for (const std::string& cell :
         {point.kernel, count_in_words(point.outputs), count_in_words(m.samples), percent_in_words(m.can_vary),
          in_words(m.vc.mean, 3), or_dash(m.vc.sd), or_dash(m.vc_expected), in_words(m.offset_vc, 3),
          in_words(m.vermv_robust.mean, 3), in_words(m.largest_error.max, 3), count_in_words(m.distinct)})
      row.push_back(cell);
  }
  std::string html = html_table(columns, rows);
  html += "<p>Vc: mean share of the outputs that differ from the baseline. Method offset: Vc of launch order.";
  if (study.operations.size() > kTableRows)
    html += fmt::format(" These are the first {} of {} points; `orderlab export` writes all.", kTableRows,
                        study.operations.size());
  return html + "</p>\n";
}

}  // namespace orderlab
