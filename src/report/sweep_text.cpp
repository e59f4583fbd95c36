#include "report/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "experiment/enumerated_order.hpp"
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

}  // namespace

std::string plan_text(const SweepPlan& plan, const Shard& shard, int threads, const TextStyle& style) {
  std::vector<const AxisColumn*> shown;
  std::vector<Column> titles{{"point"}};
  for (const AxisColumn& column : kColumns) {
    const std::string first = column.text(plan.points[0]);
    const bool varies = std::any_of(plan.points.begin(), plan.points.end(),
                                    [&](const SweepPoint& point) { return column.text(point) != first; });
    if (!varies && !column.always) continue;
    shown.push_back(&column);
    titles.push_back({std::string(column.title), column.align});
  }
  titles.push_back({"one core"});
  titles.push_back({"memory"});
  Table table(titles);
  double seconds = 0;
  double bytes = 0;
  std::size_t points = 0;
  for (std::size_t i = shard.number - 1; i < plan.points.size(); i += shard.count, ++points) {
    const PointEstimate expected = estimate(plan.points[i], threads);
    Table::Row row{std::to_string(i)};
    for (const AxisColumn* column : shown) row.push_back(column->text(plan.points[i]));
    row.push_back(seconds_in_words(expected.core_seconds));
    row.push_back(bytes_in_words(expected.memory_bytes));
    table.add(row);
    seconds += expected.core_seconds;
    bytes = std::max(bytes, expected.memory_bytes);
  }
  std::string text;
  if (!plan.title.empty()) text += wrapped(plan.title + "\n", style.width);
  if (!plan.question.empty()) text += wrapped(plan.question + "\n", style.width);
  if (!text.empty()) text += "\n";
  text += table.text(style.color);
  return text + fmt::format("\n{} point{}, about {} on {} thread{}, {} each at most\n", points, points == 1 ? "" : "s",
                            seconds_in_words(seconds / threads), threads, threads == 1 ? "" : "s",
                            bytes_in_words(bytes));
}

}  // namespace orderlab
