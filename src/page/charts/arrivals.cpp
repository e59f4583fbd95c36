// Arrival models beside each other: how many times as far sums move as with recorded (else uniform) arrivals.
#include <fmt/format.h>

#include <algorithm>

#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/power_law.hpp"
#include "page/spread_ratio.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

/// Cells of one order, size and facet that differ by their arrivals.
struct Group {
  std::string name;
  std::vector<const Cell*> cells;
};

std::vector<Group> groups_of(const std::vector<Cell>& cells, bool orders) {
  std::vector<Group> groups;
  for (const Cell& cell : cells) {
    if (cell.first().arrival.empty()) continue;
    std::string name = cell.facet;
    if (orders) name = cell.first().order + (name.empty() ? "" : ", " + name);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
    if (group == groups.end()) group = groups.insert(group, {name, {}});
    group->cells.push_back(&cell);
  }
  std::erase_if(groups, [](const Group& group) { return group.cells.size() < 2; });
  return groups;
}

// What others are compared with: a recording, else uniform arrivals, else the first model.
std::string reference_of(const SweepContent& content) {
  const std::vector<std::string> arrivals = values_of(content, axes::kArrival);
  for (const std::string& arrival : arrivals)
    if (arrival.starts_with("trace")) return arrival;
  return std::find(arrivals.begin(), arrivals.end(), "uniform") != arrivals.end() ? "uniform" : arrivals.front();
}

// Pairs of the same input.
std::vector<SpreadPair> pairs_of(const Cell& cell, const Cell& reference) {
  std::vector<SpreadPair> pairs;
  for (const SumPoint* point : cell.points)
    for (const SumPoint* other : reference.points)
      if (point->input == other->input && point->input_seed == other->input_seed && point->seed == other->seed &&
          point->n == other->n)
        pairs.push_back({point->errors.values, other->errors.values});
  return pairs;
}

struct ArrivalsDrawing {
  Json rows = Json::array();
  vega::LogRange range;
  std::vector<std::string> groups;
  bool inputs_resampled = false;   ///< inputs were resampled for some comparison
  bool samples_resampled = false;  ///< samples were resampled for some comparison
};

void compare(const Group& group, const std::string& reference, ArrivalsDrawing& drawing, Figure& figure) {
  const auto other = std::find_if(group.cells.begin(), group.cells.end(),
                                  [&](const Cell* cell) { return cell->first().arrival == reference; });
  if (other == group.cells.end()) return;
  for (const Cell* cell : group.cells) {
    if (cell == *other) continue;
    const std::vector<SpreadPair> pairs = pairs_of(*cell, **other);
    const auto ratio = spread_ratio(pairs, cell->first().seed, kPageConfidence);
    if (!ratio) continue;
    const std::string& arrival = cell->first().arrival;
    if (drawing.groups.empty() || drawing.groups.back() != group.name) drawing.groups.push_back(group.name);
    (ratio->inputs_resampled ? drawing.inputs_resampled : drawing.samples_resampled) = true;
    for (const double value : {ratio->ratio, ratio->low, ratio->high, 1.0}) drawing.range.see(value);
    drawing.rows.push_back({{"kind", "ratio"},
                            {"arrival", arrival},
                            {"group", group.name},
                            {"ratio", vega::number(ratio->ratio)},
                            {"low", vega::number(ratio->low)},
                            {"high", vega::number(ratio->high)}});
    const std::string interval = interval_in_words(ratio->low, ratio->high);
    figure.rows.push_back({group.name, arrival, in_words(ratio->ratio, 3), interval, std::to_string(ratio->inputs)});
    figure.conclusions.push_back(fmt::format(
        "With {} arrivals the sum{} moves {} with {} ones ({} interval {}{}).", arrival,
        group.name.empty() ? "" : " (" + group.name + ")", times_as_far(ratio->ratio), reference,
        page_confidence_in_words(), interval,
        ratio->inputs == pairs.size()
            ? ""
            : fmt::format("; on the {} of {} inputs where it moves with both", ratio->inputs, pairs.size())));
  }
}

Json spec_of(const ArrivalsDrawing& drawing, const std::string& reference) {
  const std::string title = "spread relative to " + reference + " arrivals";
  Json rows = drawing.rows;
  rows.push_back({{"kind", "one"}, {"ratio", 1}});
  const Json x = vega::log_channel("ratio", title, drawing.range);
  Json mark{{"x", x},
            {"y", {{"field", "arrival"}, {"type", "nominal"}, {"title", nullptr}, {"sort", nullptr}}},
            {"yOffset", {{"field", "group"}, {"type", "nominal"}, {"sort", drawing.groups}}}};
  vega::add_series(mark, "group", drawing.groups, true);
  Json bar = mark;
  bar.erase("shape");
  bar["x"]["field"] = "low";
  bar["x2"] = {{"field", "high"}};
  mark["tooltip"] = {{{"field", "arrival"}},
                     {{"field", "group"}},
                     {{"field", "ratio"}, {"format", ".3~g"}},
                     {{"field", "low"}, {"format", ".3~g"}},
                     {{"field", "high"}, {"format", ".3~g"}}};
  vega::Panel panel{"",
                    rows,
                    {vega::layer("one", {{"type", "rule"}, {"style", "reference"}}, {{"x", x}}),
                     vega::layer("ratio", {{"type", "rule"}, {"strokeWidth", 2.5}, {"opacity", 0.6}}, bar),
                     vega::layer("ratio", {{"type", "point"}, {"filled", true}, {"size", 90}, {"opacity", 1}}, mark)}};
  return vega::spec("Spread with arrival models relative to " + reference, {std::move(panel)},
                    {.height = 60.0 + 26.0 * static_cast<double>(drawing.rows.size())});
}

std::string resampled_in_words(const ArrivalsDrawing& drawing) {
  if (!drawing.samples_resampled) return "inputs";
  const std::string samples = "the samples of each input";
  if (!drawing.inputs_resampled)
    return fmt::format("{} (with fewer than {} inputs, the interval is of these inputs only)", samples,
                       kInputsToResample);
  return fmt::format("inputs where there are {}, else {}, for an interval of these inputs only", kInputsToResample,
                     samples);
}

std::optional<Figure> draw_arrivals(const SweepContent& content) {
  if (!varies(content, axes::kArrival)) return std::nullopt;
  const std::string reference = reference_of(content);
  const std::vector<Cell> cells = compared_cells(content);
  Figure figure;
  ArrivalsDrawing drawing;
  for (const Group& group : groups_of(cells, values_of(content, axes::kOrder).size() > 1))
    compare(group, reference, drawing, figure);
  if (drawing.rows.empty()) return std::nullopt;
  figure.leads = !varies(content, axes::kN) && !varies(content, axes::kOrder);
  figure.columns = {"", "arrivals", "times as far", page_confidence_in_words() + " interval", "inputs"};
  figure.spec = spec_of(drawing, reference);
  figure.caption = fmt::format(
      "Standard deviation of the error over that with {} arrivals on the same input, at {}: geometric mean over the "
      "inputs on which both move. Bars: {} percentile intervals of {} bootstrap replicates that draw {} with "
      "replacement{}.",
      reference, common_n_in_words(cells), page_confidence_in_words(), kBootstrapReplicates,
      resampled_in_words(drawing), reference.starts_with("trace") ? ", the recorded orders as they are" : "");
  return figure;
}

}  // namespace

extern const Chart kArrivalsChart;
const Chart kArrivalsChart{.name = "arrivals", .title = "Arrival models compared", .draw = draw_arrivals};

}  // namespace orderlab
