#include "page/point_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "page/cells.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"

namespace orderlab {

namespace {

struct MeasuredColumn {
  const char* title;  ///< the unit follows a comma
  Quantity quantity;
  bool greatest;
};

constexpr MeasuredColumn kMeasured[] = {
    {"different results", &SumPoint::distinct, true},    {"spread, ", &SumPoint::error_sd, false},
    {"largest error, ", &SumPoint::error_max_abs, true}, {"largest relative error", &SumPoint::relative_max_abs, true},
    {"spread of Vs", &SumPoint::vs_spread, false},       {"max |Vs|", &SumPoint::vs_max_abs, true}};

// A dash where no point has the number.
std::string measured(const Cell& cell, const MeasuredColumn& column) {
  const auto value = spread_of(cell, column.quantity);
  if (value && column.quantity == &SumPoint::distinct)
    return count_in_words(static_cast<std::uint64_t>(value->greatest));
  if (value) return in_words(column.greatest ? value->greatest : value->rms, 3);
  return "–";
}

// Points of one row differ by their input. Samples have a column of their own.
bool has_column(const Axis& axis) {
  return axis.role != AxisRole::input && axis.role != AxisRole::none && &axis != &axes::kSamples;
}

std::string range_in_words(const std::set<std::uint64_t>& values) {
  if (values.size() == 1) return std::to_string(*values.begin());
  if (*values.rbegin() - *values.begin() + 1 == values.size())
    return fmt::format("{} to {}", *values.begin(), *values.rbegin());
  std::vector<std::string> texts;
  for (const std::uint64_t value : values) texts.push_back(std::to_string(value));
  return listed(texts);
}

}  // namespace

std::string point_table(const SweepContent& content) {
  std::vector<const Axis*> shown;
  for (const Axis* axis : axis_list())
    if (has_column(*axis) && (axis == &axes::kN || axis == &axes::kOrder || varies(content, *axis)))
      shown.push_back(axis);
  std::vector<std::string> columns;
  for (const Axis* axis : shown) columns.emplace_back(axis->chart_title.empty() ? axis->name : axis->chart_title);
  for (const char* title : {"inputs", "samples of each"}) columns.emplace_back(title);
  const std::vector<Cell> cells = cells_of(content);
  std::vector<MeasuredColumn> measured_columns;  // those that have a number in some row
  for (const MeasuredColumn& column : kMeasured) {
    if (std::none_of(cells.begin(), cells.end(), [&](const Cell& c) { return spread_of(c, column.quantity); }))
      continue;
    measured_columns.push_back(column);
    const std::string title = column.title;
    columns.push_back(title.ends_with(", ") ? title + error_unit(content) : title);
  }
  const bool not_finite = std::any_of(content.points.begin(), content.points.end(),
                                      [](const SumPoint& point) { return point.not_finite > 0; });
  if (not_finite) columns.emplace_back("inf and NaN");
  std::vector<std::vector<std::string>> rows;
  for (const Cell& cell : cells) {
    if (rows.size() == kTableRows) break;
    std::vector<std::string>& row = rows.emplace_back();
    for (const Axis* axis : shown)
      row.push_back(axis == &axes::kN ? count_in_words(cell.first().n) : words_on(*axis, cell.first()));
    row.push_back(std::to_string(cell.points.size()));
    row.push_back(cell.first().all_orders ? samples_in_words(cell.first()) : count_in_words(cell.first().samples));
    for (const MeasuredColumn& column : measured_columns) row.push_back(measured(cell, column));
    if (not_finite) row.push_back(count_in_words(not_finite_of(cell)));
  }
  std::string html = html_table(columns, rows);
  html += "<p>Spreads are root mean squares over the inputs; largest values and counts are maxima.";
  if (cells.size() > kTableRows)
    html += fmt::format(" These are the first {} of {} rows; <code>orderlab export</code> writes all.", kTableRows,
                        cells.size());
  return html + "</p>\n";
}

std::string seeds_in_words(const SweepContent& content) {
  std::set<std::uint64_t> orders;
  std::set<std::uint64_t> terms;
  std::set<std::uint64_t> inputs;
  std::set<std::string> distributions;
  for (const PointConfig* point : content.configs()) {
    orders.insert(point->seed);
    if (point->input_seed != 0) {
      terms.insert(point->input_seed);
      distributions.insert(point->terms);
    }
    inputs.insert(point->input);
  }
  std::string text = "orders " + range_in_words(orders);
  if (!terms.empty()) text += ", terms " + range_in_words(terms);
  if (inputs.size() > 1) text += "; inputs " + range_in_words(inputs);
  if (distributions.size() > 1) text += "; all distributions use the same random numbers";
  return text;
}

}  // namespace orderlab
