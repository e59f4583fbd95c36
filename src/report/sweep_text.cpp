#include "report/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "experiment/all_orders.hpp"
#include "experiment/point_estimate.hpp"
#include "report/table.hpp"
#include "report/wrapped.hpp"

namespace orderlab {

namespace {

struct AxisColumn {
  std::string_view title;
  Align align;
  bool always;  ///< also where all points have one value
  std::string (*text)(const SweepPoint& point);
};

constexpr AxisColumn kColumns[] = {
    {"dist", Align::left, false, [](const SweepPoint& p) { return p.input.distribution; }},
    {"n", Align::right, true, [](const SweepPoint& p) { return std::to_string(p.input.n); }},
    {"format", Align::left, false, [](const SweepPoint& p) { return to_string(p.input.formats); }},
    {"order", Align::left, true, [](const SweepPoint& p) { return p.order_text; }},
    {"arrival", Align::left, false, [](const SweepPoint& p) { return p.arrival_text; }},
    {"baseline", Align::left, false, [](const SweepPoint& p) { return p.baseline ? p.baseline->expression() : ""; }},
    {"samples", Align::right, true,
     [](const SweepPoint& p) { return p.all_orders ? std::string(kAllOrders) : std::to_string(p.samples); }},
    {"max_distinct", Align::right, false, [](const SweepPoint& p) { return std::to_string(p.max_distinct); }},
    {"seed", Align::right, false, [](const SweepPoint& p) { return std::to_string(p.seed); }},
    {"input_seed", Align::right, false, [](const SweepPoint& p) { return std::to_string(p.input.input_seed); }},
    {"input", Align::right, false, [](const SweepPoint& p) { return std::to_string(p.input.input_number); }},
};

std::string seconds_in_words(double seconds) {
  if (seconds < 0.01) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// What a shard is expected to take.
struct Totals {
  std::size_t points = 0;
  double core_seconds = 0;
  double memory_bytes = 0;  ///< of the largest point
};

// Nobody reads thousands of lines: of a longer list this many at either end are shown.
constexpr std::size_t kMostRows = 1000;
constexpr std::size_t kEndRows = 20;

bool is_shown(std::size_t row, std::size_t rows) {
  return rows <= kMostRows || row < kEndRows || row >= rows - kEndRows;
}

// The columns that vary. Points are computed on demand, so each is visited once.
std::vector<const AxisColumn*> varying_columns(const SweepPlan& plan) {
  std::vector<const AxisColumn*> same;
  for (const AxisColumn& column : kColumns)
    if (!column.always) same.push_back(&column);
  const SweepPoint first = plan.points[0];
  for (std::size_t i = 1; i < plan.points.size() && !same.empty(); ++i) {
    const SweepPoint point = plan.points[i];
    std::erase_if(same, [&](const AxisColumn* column) { return column->text(point) != column->text(first); });
  }
  std::vector<const AxisColumn*> varying;
  for (const AxisColumn& column : kColumns)
    if (std::find(same.begin(), same.end(), &column) == same.end()) varying.push_back(&column);
  return varying;
}

Table::Row row_of(std::size_t i, const SweepPoint& point, const PointEstimate& expected,
                  const std::vector<const AxisColumn*>& columns) {
  Table::Row row{std::to_string(i)};
  for (const AxisColumn* column : columns) row.push_back(column->text(point));
  row.push_back(seconds_in_words(expected.core_seconds));
  row.push_back(bytes_in_words(expected.memory_bytes));
  return row;
}

}  // namespace

std::string plan_text(const SweepPlan& plan, const Shard& shard, int threads, const TextStyle& style) {
  const std::vector<const AxisColumn*> columns = varying_columns(plan);
  std::vector<Column> titles{{"point"}};
  for (const AxisColumn* column : columns) titles.push_back({std::string(column->title), column->align});
  titles.push_back({"one core"});
  titles.push_back({"memory"});
  Table table(titles);
  const std::size_t rows = (plan.points.size() + shard.count - shard.number) / shard.count;
  Totals all;
  for (std::size_t i = shard.number - 1; i < plan.points.size(); i += shard.count) {
    const SweepPoint point = plan.points[i];
    const PointEstimate expected = estimate(point, threads);
    if (is_shown(all.points, rows)) {
      table.add(row_of(i, point, expected, columns));
    } else if (is_shown(all.points - 1, rows)) {
      Table::Row gap(titles.size());
      gap[0] = "...";
      table.add(gap);
    }
    ++all.points;
    all.core_seconds += expected.core_seconds;
    all.memory_bytes = std::max(all.memory_bytes, expected.memory_bytes);
  }
  std::string text;
  if (!plan.title.empty()) text += wrapped(plan.title + "\n", style.width);
  if (!plan.question.empty()) text += wrapped(plan.question + "\n", style.width);
  if (!text.empty()) text += "\n";
  text += table.text(style.color);
  return text + fmt::format("\n{} point{}, about {} on {} thread{}, {} each at most\n", all.points,
                            all.points == 1 ? "" : "s", seconds_in_words(all.core_seconds / threads), threads,
                            threads == 1 ? "" : "s", bytes_in_words(all.memory_bytes));
}

}  // namespace orderlab
