#include "sweep/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "config/point_config.hpp"
#include "core/text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"
#include "sweep/point_estimate.hpp"

namespace orderlab {

namespace {

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
  double memory_bytes = 0;  ///< memory of the largest point
};

// Nobody reads thousands of lines: of a longer list this many at either end are shown, so that the sum is on the same
// screen.
constexpr std::size_t kMostRows = 1000;
constexpr std::size_t kEndRows = 12;

bool is_shown(std::size_t row, std::size_t rows) {
  return rows <= kMostRows || row < kEndRows || row >= rows - kEndRows;
}

// The axes that vary, and those that are always shown where some point has a text on them. Points are computed on
// demand, so each is visited once.
std::vector<const Axis*> shown_axes(const SweepPlan& plan) {
  struct Seen {
    const Axis* axis;
    std::string text;
    bool differs = false;
    bool there = false;
  };
  std::vector<Seen> all;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint point = plan.points[i];
    if (i == 0)
      for (const Axis* axis : axis_list()) all.push_back({axis, text_on(*axis, point.config)});
    for (Seen& seen : all) {
      if (seen.differs) continue;
      const std::string text = text_on(*seen.axis, point.config);
      seen.differs = text != seen.text;
      seen.there = seen.there || !text.empty();
    }
  }
  std::vector<const Axis*> shown;
  for (const Seen& seen : all) {
    const bool always = seen.axis->always_shown || (seen.axis == &axes::kOp && plan.has_operations);
    if (seen.differs || (always && seen.there)) shown.push_back(seen.axis);
  }
  return shown;
}

Table::Row row_of(std::size_t i, const SweepPoint& point, const PointEstimate& expected,
                  const std::vector<const Axis*>& axes) {
  Table::Row row{std::to_string(i)};
  for (const Axis* axis : axes) row.push_back(text_on(*axis, point.config));
  row.push_back(seconds_in_words(expected.core_seconds));
  row.push_back(bytes_in_words(expected.memory_bytes));
  return row;
}

}  // namespace

std::string plan_text(const SweepPlan& plan, const Shard& shard, int threads, const TextStyle& style) {
  const std::vector<const Axis*> axes = shown_axes(plan);
  std::vector<Column> titles{{"point"}};
  for (const Axis* axis : axes)
    titles.push_back({std::string(axis->name), axis->kind == AxisKind::count ? Align::right : Align::left});
  titles.push_back({"one core"});
  titles.push_back({"memory"});
  Table table(titles);
  const std::size_t rows = (plan.points.size() + shard.count - shard.number) / shard.count;
  Totals all;
  for (std::size_t i = shard.number - 1; i < plan.points.size(); i += shard.count) {
    const SweepPoint point = plan.points[i];
    const PointEstimate expected = estimate(point, threads);
    if (is_shown(all.points, rows)) {
      table.add(row_of(i, point, expected, axes));
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
