// What a method changes, and what the order changes, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/operation_cells.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

constexpr const char* kOffset = "method offset";
constexpr const char* kOrderSpread = "order spread";

constexpr OperationQuantity kOfOrder{
    .name = "order spread", .title = "order spread", .measured = &study::OperationMeasures::vc_order};

// More pairs of bars than this are hard to compare: then only the largest of each line is shown.
constexpr std::size_t kMostPairs = 16;

constexpr double kLongestPairLabel = 300;  // pixels

// Runs compared with each other have no method to differ by, and launch order is its own baseline.
bool has_offset(const OperationCell& cell) {
  const study::OutputBaseline baseline = cell.first().measures.baseline;
  return baseline != study::OutputBaseline::run && baseline != study::OutputBaseline::launch;
}

std::vector<OperationCell> shown_cells(const SweepContent& content) {
  std::vector<OperationCell> cells = operation_cells(content, OperationSize::outputs);
  std::erase_if(cells, [](const OperationCell& cell) { return !has_offset(cell); });
  if (cells.size() <= kMostPairs) return cells;
  std::map<std::pair<std::string, std::string>, double> largest;
  for (const OperationCell& cell : cells) {
    double& x = largest[{cell.facet, cell.series}];
    x = std::max(x, cell.x);
  }
  std::erase_if(cells, [&](const OperationCell& cell) { return cell.x < largest.at({cell.facet, cell.series}); });
  if (cells.size() > kMostPairs) cells.resize(kMostPairs);
  return cells;
}

// What tells a pair of bars from the others.
std::string label_of(const OperationCell& cell, bool several_series, bool several_sizes) {
  std::string label = several_series ? cell.series : std::string();
  join(label, ", ", cell.facet);
  if (several_sizes || label.empty())
    join(label, ", ", count_in_words(static_cast<std::uint64_t>(cell.x)) + " outputs");
  return label;
}

std::vector<std::string> labels_of(const std::vector<OperationCell>& cells) {
  const bool series = names_of(cells, &OperationCell::series).size() > 1;
  const auto other = [&](const OperationCell& cell) { return cell.x != cells.front().x; };
  const bool sizes = std::any_of(cells.begin(), cells.end(), other);
  std::vector<std::string> labels;
  for (const OperationCell& cell : cells) labels.push_back(label_of(cell, series, sizes));
  return labels;
}

Json pair_rows(const OperationCell& cell, const std::string& label) {
  const double mean = cell.mean(kOfOrder);
  const double sd = cell.sd(kOfOrder).value_or(0);
  return Json::array({{{"label", label}, {"what", kOffset}, {"share", vega::number(cell.offset())}, {"sd", 0}},
                      {{"label", label},
                       {"what", kOrderSpread},
                       {"share", vega::number(mean)},
                       {"sd", vega::number(sd)},
                       {"low", vega::number(std::max(0.0, mean - sd))},
                       {"high", vega::number(mean + sd)}}});
}

// Pixels beside the bars, about: the widths of letters are the browser's.
double room_for(const std::vector<std::string>& labels) {
  constexpr double kLetter = 6.5;
  std::size_t longest = 0;
  for (const std::string& label : labels) longest = std::max(longest, label.size());
  return std::min(kLetter * static_cast<double>(longest), kLongestPairLabel);
}

Json spec_of(const std::vector<OperationCell>& cells, const std::vector<std::string>& labels) {
  vega::Panel panel{"", Json::array(), {}};
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (Json row : pair_rows(cells[i], labels[i])) {
      row["kind"] = "bar";
      panel.rows.push_back(row);
      if (!row.contains("high")) continue;
      row["kind"] = "sd";
      panel.rows.push_back(std::move(row));
    }
  const std::vector<std::string> kinds{kOffset, kOrderSpread};
  Json bar{{"y",
            {{"field", "label"},
             {"type", "nominal"},
             {"title", nullptr},
             {"scale", {{"domain", labels}, {"paddingInner", 0.25}}},
             {"axis", {{"labelLimit", kLongestPairLabel}}}}},
           {"yOffset", {{"field", "what"}, {"type", "nominal"}, {"scale", {{"domain", kinds}}}}},
           {"x",
            {{"field", "share"},
             {"type", "quantitative"},
             {"title", "share of the outputs"},
             {"scale", {{"zero", true}}},
             {"axis", {{"format", "~p"}, {"tickCount", 6}}}}}};
  vega::add_series(bar, "what", kinds, false);
  Json sd = bar;
  sd.erase("color");
  sd["x"]["field"] = "low";
  sd["x2"] = {{"field", "high"}};
  bar["tooltip"] = Json::array({{{"field", "label"}},
                                {{"field", "what"}},
                                {{"field", "share"}, {"title", "share of the outputs"}, {"format", ".3~p"}},
                                {{"field", "sd"}, {"format", ".2~p"}}});
  panel.layers = {
      vega::layer("bar", {{"type", "bar"}}, bar),
      vega::layer("sd", {{"type", "rule"}, {"style", "reference"}, {"strokeDash", Json::array({1, 0})}}, sd)};
  constexpr double kPair = 40;  // pixels
  return vega::spec("Method offset and order spread", {std::move(panel)},
                    {.height = kPair * static_cast<double>(cells.size()) + 20, .aside = room_for(labels)});
}

std::optional<Figure> draw_offset_order(const SweepContent& content) {
  const std::vector<OperationCell> cells = shown_cells(content);
  if (cells.empty()) return std::nullopt;
  const std::vector<std::string> labels = labels_of(cells);
  Figure figure;
  figure.spec = spec_of(cells, labels);
  figure.caption =
      "Method offset: share of the outputs in which launch order differs from the baseline, which no repetition shows. "
      "Order spread: mean share in which a sample differs from launch order, and one standard deviation of single "
      "samples to either side.";
  const std::size_t all = operation_cells(content, OperationSize::outputs).size();
  if (cells.size() < all) figure.caption += fmt::format(" {} of {}.", cells.size(), all);
  std::vector<std::size_t> strongest(cells.size());
  std::iota(strongest.begin(), strongest.end(), std::size_t{0});
  const auto change = [&](std::size_t i) { return std::max(cells[i].offset(), cells[i].mean(kOfOrder)); };
  std::stable_sort(strongest.begin(), strongest.end(),
                   [&](std::size_t a, std::size_t b) { return change(a) > change(b); });
  for (const std::size_t i : strongest)
    figure.conclusions.push_back(fmt::format("{}: the method alone changes {} of the outputs, the order {} on average.",
                                             labels[i], percent_in_words(cells[i].offset()),
                                             percent_in_words(cells[i].mean(kOfOrder))));
  return figure;
}

}  // namespace

extern const Chart kOffsetOrderChart;
const Chart kOffsetOrderChart{
    .name = "offset_order",
    .title = "Method and order: what changes the outputs",
    .draw = draw_offset_order,
    .of_operations = true,
};

}  // namespace orderlab
