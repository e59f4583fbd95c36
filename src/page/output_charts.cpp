#include "page/output_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "page/number_words.hpp"
#include "page/operation_cells.hpp"
#include "page/vega_lite.hpp"
#include "show/operation.hpp"

namespace orderlab {

namespace {

using study::OutputHistory;

constexpr Chart kMapChart{.name = "output_map", .title = "Where outputs differ from the baseline", .draw = nullptr};
constexpr Chart kCountsChart{
    .name = "output_counts", .title = "How often outputs differ, and how far they move", .draw = nullptr};

// Cells along one side of a map of two dimensions, and of one.
constexpr std::uint64_t kMostSide = 64;
constexpr std::uint64_t kMostBars = 256;

/// The array as rows and columns: the last dimension has the columns. One row: a line.
struct OutputGrid {
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;

  explicit OutputGrid(const study::OperationFacts& input) : columns(input.outputs) {
    const Shape& shape = input.shape;
    if (shape.size() < 2 || shape.back() < 2 || input.outputs / shape.back() < 2) return;
    columns = shape.back();
    rows = input.outputs / columns;
  }
  bool is_line() const { return rows == 1; }
};

/// Neighbouring outputs: rows and columns are half-open intervals.
struct MapCell {
  std::uint64_t row, row_end, column, column_end;
  double share = 0;  ///< mean share of runs in which one differs
};

std::vector<MapCell> cells_of(const OutputGrid& grid, const std::vector<OutputHistory>& outputs) {
  const std::uint64_t down = grid.is_line() ? 1 : std::min(grid.rows, kMostSide);
  const std::uint64_t across = std::min(grid.columns, grid.is_line() ? kMostBars : kMostSide);
  std::vector<MapCell> cells;
  for (std::uint64_t i = 0; i < down; ++i)
    for (std::uint64_t k = 0; k < across; ++k) {
      MapCell cell{i * grid.rows / down, (i + 1) * grid.rows / down, k * grid.columns / across,
                   (k + 1) * grid.columns / across};
      for (std::uint64_t row = cell.row; row < cell.row_end; ++row)
        for (std::uint64_t column = cell.column; column < cell.column_end; ++column)
          cell.share += outputs[row * grid.columns + column].different;
      cell.share /= static_cast<double>((cell.row_end - cell.row) * (cell.column_end - cell.column));
      cells.push_back(cell);
    }
  return cells;
}

std::string interval(std::uint64_t first, std::uint64_t end) {
  return end - first == 1 ? std::to_string(first) : fmt::format("{} to {}", first, end - 1);
}

std::string place_in_words(const OutputGrid& grid, const MapCell& cell) {
  if (grid.is_line())
    return fmt::format("{} {}", cell.column_end - cell.column == 1 ? "output" : "outputs",
                       interval(cell.column, cell.column_end));
  return fmt::format("{} {}, {} {}", cell.row_end - cell.row == 1 ? "row" : "rows", interval(cell.row, cell.row_end),
                     cell.column_end - cell.column == 1 ? "column" : "columns", interval(cell.column, cell.column_end));
}

// "row", or of more than two dimensions which ones it is made of.
std::string title_of_rows(const Shape& shape) {
  return shape.size() > 2 ? fmt::format("row (dimensions 0 to {})", shape.size() - 2) : "row";
}

Json axis_of(const char* field, const std::string& title, std::uint64_t end, bool down) {
  Json axis{{"tickCount", 6}, {"format", ",d"}, {"tickMinStep", 1}, {"grid", false}};
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"domain", Json::array({0, end})}, {"nice", false}, {"reverse", down}}},
          {"axis", std::move(axis)}};
}

Json map_spec(const OutputGrid& grid, const std::vector<MapCell>& cells, const Shape& shape) {
  vega::Panel panel{"", Json::array(), {}};
  for (const MapCell& cell : cells) {
    Json row{{"kind", "cell"},
             {"x", cell.column},
             {"x2", cell.column_end},
             {"share", vega::number(cell.share)},
             {"at", place_in_words(grid, cell)}};
    if (!grid.is_line()) {
      row["y"] = cell.row;
      row["y2"] = cell.row_end;
    }
    panel.rows.push_back(std::move(row));
  }
  Json encoding{
      {"x", axis_of("x", grid.is_line() ? "output" : "column", grid.columns, false)},
      {"x2", {{"field", "x2"}}},
      {"tooltip", Json::array({{{"field", "at"}, {"title", "where"}},
                               {{"field", "share"}, {"title", "share of runs that differ"}, {"format", ".3~p"}}})}};
  if (grid.is_line()) {
    encoding["y"] = {{"field", "share"},
                     {"type", "quantitative"},
                     {"title", "share of runs that differ"},
                     {"scale", {{"zero", true}}},
                     {"axis", {{"format", "~p"}}}};
    encoding["y2"] = {{"datum", 0}};
  } else {
    encoding["y"] = axis_of("y", title_of_rows(shape), grid.rows, true);
    encoding["y2"] = {{"field", "y2"}};
    double most = 0;
    for (const MapCell& cell : cells) most = std::max(most, cell.share);
    const double end = most > 0 ? std::ceil(20 * most) / 20 : 1;  // a multiple of 5 %
    const Json color{{"field", "share"},
                     {"type", "quantitative"},
                     {"scale", {{"scheme", "viridis"}, {"domain", {0, vega::number(end)}}}},
                     {"legend",
                      {{"title", "share of runs that differ"},
                       {"type", "gradient"},
                       {"direction", "horizontal"},
                       {"gradientLength", 240},
                       {"format", ".3~p"},
                       {"values", {0, vega::number(end / 2), vega::number(end)}}}}};
    encoding["color"] = color;
    encoding["stroke"] = color;  // else the paper shows between cells
  }
  panel.layers = {vega::layer("cell", {{"type", "rect"}, {"strokeWidth", 0.7}}, std::move(encoding))};
  const double ratio = static_cast<double>(grid.rows) / static_cast<double>(grid.columns);
  const double height = grid.is_line() ? 260 : std::clamp(800 * ratio, 160.0, 480.0);
  return vega::with_headline(
      vega::spec("Share of runs in which outputs differ", {std::move(panel)}, {.height = height}), "");
}

std::vector<std::string> map_sentences(const study::OperationSampleFinding& finding, const OutputGrid& grid,
                                       const std::vector<MapCell>& cells) {
  const auto by_share = [](const MapCell& a, const MapCell& b) { return a.share < b.share; };
  const MapCell& most = *std::max_element(cells.begin(), cells.end(), by_share);
  const MapCell& least = *std::min_element(cells.begin(), cells.end(), by_share);
  std::vector<std::string> sentences;
  if (most.share > least.share)
    sentences.push_back(fmt::format("Outputs differ most often at {}: in {} of the runs on average",
                                    place_in_words(grid, most), percent_in_words(most.share)) +
                        (least.share > 0 ? fmt::format("; least often at {}: in {}.", place_in_words(grid, least),
                                                       percent_in_words(least.share))
                                         : "."));
  if (const auto& first = finding.first_different; first && grid.is_line())
    sentences.push_back(fmt::format("The first output that differs is {} in the median run, and {} at the earliest.",
                                    static_cast<std::uint64_t>(first->median), static_cast<std::uint64_t>(first->min)));
  return sentences;
}

Figure draw_map(const study::OperationSampleFinding& finding, const std::vector<OutputHistory>& outputs) {
  const OutputGrid grid(finding.input);
  const std::vector<MapCell> cells = cells_of(grid, outputs);
  Figure figure;
  figure.leads = true;
  figure.spec = map_spec(grid, cells, finding.input.shape);
  figure.caption =
      fmt::format("{} an output has other bits than the baseline ({}){}.",
                  finding.samples == 1 ? std::string("Whether in the one run")
                                       : fmt::format("Share of the {} runs in which", count_in_words(finding.samples)),
                  finding.baseline_addition,
                  cells.size() < outputs.size() ? "; each mark is the mean over neighbouring outputs" : "");
  figure.conclusions = map_sentences(finding, grid, cells);
  return figure;
}

// Whole ones without decimals.
std::string ulps_in_words(double ulps) {
  const bool whole = ulps == std::floor(ulps) && ulps < 1e6;
  return whole ? count_in_words(static_cast<std::uint64_t>(ulps)) : in_words(ulps, 3);
}

vega::Panel bins_panel(const std::string& title, const std::vector<study::OutputBin>& bins, const std::string& unit,
                       double scale, std::uint64_t outputs) {
  vega::Panel panel{title, Json::array(), {}};
  std::vector<std::string> labels;
  for (const study::OutputBin& bin : bins) {
    labels.push_back(bin_label(bin, unit, scale));
    panel.rows.push_back({{"kind", "bar"},
                          {"bin", labels.back()},
                          {"outputs", bin.outputs},
                          {"share", vega::number(static_cast<double>(bin.outputs) / static_cast<double>(outputs))}});
  }
  const Json encoding{
      {"y", {{"field", "bin"}, {"type", "nominal"}, {"title", nullptr}, {"scale", {{"domain", labels}}}}},
      {"x",
       {{"field", "share"},
        {"type", "quantitative"},
        {"title", "share of the outputs"},
        {"scale", {{"zero", true}}},
        {"axis", {{"format", "~p"}, {"tickCount", 5}}}}},
      {"tooltip", Json::array({{{"field", "bin"}, {"title", title}},
                               {{"field", "outputs"}, {"format", ","}},
                               {{"field", "share"}, {"title", "share of the outputs"}, {"format", ".3~p"}}})}};
  panel.layers = {vega::layer("bar", {{"type", "bar"}}, encoding)};
  return panel;
}

Figure draw_counts(const study::OperationSampleFinding& finding) {
  const std::uint64_t outputs = finding.input.outputs;
  Figure figure;
  figure.spec = vega::spec("How often outputs differ, and how far they move",
                           {bins_panel("runs in which an output differs", finding.by_frequency, " %", 100, outputs),
                            bins_panel("greatest − least result", finding.by_movement, " ulp", 1, outputs)},
                           {.height = 220, .aside = 30});
  figure.caption =
      "Outputs by the share of runs in which they differ from the baseline, and by the distance between their greatest "
      "and their least result, in ulps of the exact result; launch order counts as a run.";
  figure.conclusions = {fmt::format(
      "{} of the outputs can vary with order. A run differs from the baseline by {} ulp at most on average, and by {} "
      "ulp in the worst run.",
      percent_in_words(finding.can_vary), ulps_in_words(finding.largest_difference.mean),
      ulps_in_words(finding.largest_difference.max))};
  return figure;
}

}  // namespace

std::vector<DrawnChart> output_charts(const study::OperationSampleFinding& finding,
                                      const std::vector<OutputHistory>& outputs) {
  std::vector<DrawnChart> drawn{{&kMapChart, draw_map(finding, outputs)}};
  if (finding.varying > 0) drawn.push_back({&kCountsChart, draw_counts(finding)});
  return drawn;
}

}  // namespace orderlab
