#include "show/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "core/text.hpp"
#include "show/input_text.hpp"
#include "show/shown_unit.hpp"
#include "show/table.hpp"

namespace orderlab {

namespace {

// A column of the table that compares orders: its cells for fixed orders and for random ones.
struct Compared {
  Column column;
  std::string (*fixed)(const study::SampledOrder&);
  std::string (*random)(const study::SampledOrder&);
};

const ErrorSummary& errors_in(const study::SampledOrder& order) { return order.metrics.of<ErrorSummary>(); }
std::string no_cell(const study::SampledOrder&) { return "-"; }
std::string least_ulp(const study::SampledOrder& order) { return number(errors_in(order).ulp.min, 3); }
std::string mean_ulp(const study::SampledOrder& order) { return number(errors_in(order).ulp.mean, 3); }
std::string greatest_ulp(const study::SampledOrder& order) { return number(errors_in(order).ulp.max, 3); }
std::string sd_ulp(const study::SampledOrder& order) { return number(errors_in(order).ulp.sd, 3); }
std::string relative_cell(const study::SampledOrder& order) { return number(errors_in(order).relative.max_abs, 2); }
std::string vs_spread(const study::SampledOrder& order) { return number(order.metrics.of<VsSummary>().spread, 2); }
std::string vs_offset(const study::SampledOrder& order) { return number(order.metrics.of<VsSummary>().offset, 2); }
std::string sums_cell(const study::SampledOrder& order) {
  return order.counts.binned() ? fmt::format(">{}", order.counts.frame().max_distinct)
                               : std::to_string(order.counts.distinct());
}
std::string height_cell(const study::SampledOrder& order) {
  const auto heights = order.counts.heights();
  return heights ? std::to_string(heights->max) : "-";
}
std::string result_cell(const study::SampledOrder& order) {
  return number_of(order.counts.frame().format, order.counts.results().values[0].value);
}
std::string bits_cell(const study::SampledOrder& order) {
  const Format format = order.counts.frame().format;
  return bits_text(format, bits_of(format, order.counts.results().values[0].value));
}

// A fixed order has one error and one Vs, so orders that are all fixed need one column for each. Vs of a fixed order is
// of interest where a baseline was given: against its own fixed form it is 0.
constexpr std::string_view kErrorTitle = "error ulp";
constexpr std::string_view kVsTitle = "Vs";
std::vector<Compared> compared_columns(std::size_t fixed, std::size_t all, bool baseline_given) {
  std::vector<Compared> columns;
  if (fixed > 0) {
    columns.push_back({{"result"}, result_cell, no_cell});
    columns.push_back({{"bits"}, bits_cell, no_cell});
  }
  if (fixed == all) {
    columns.push_back({{std::string(kErrorTitle)}, least_ulp, no_cell});
  } else {
    columns.push_back({{"sums"}, sums_cell, sums_cell});
    columns.push_back({{"min ulp"}, least_ulp, least_ulp});
    columns.push_back({{"mean ulp"}, mean_ulp, mean_ulp});
    columns.push_back({{"max ulp"}, greatest_ulp, greatest_ulp});
    columns.push_back({{"sd ulp"}, no_cell, sd_ulp});
  }
  columns.push_back({{"relative"}, relative_cell, relative_cell});
  if (fixed > 0 && baseline_given)
    columns.push_back({{fixed == all ? std::string(kVsTitle) : "Vs offset"}, vs_offset, vs_offset});
  if (fixed < all) columns.push_back({{"Vs spread"}, no_cell, vs_spread});
  columns.push_back({{"height"}, height_cell, height_cell});
  return columns;
}

// Columns that are left out on a narrow terminal, first to last. The sentences below the table repeat the number of
// sums and the relative errors. Labels are made narrower before the last two columns are left out.
constexpr std::string_view kGivingWay[] = {"height",    "Vs spread", "mean ulp",  "relative", "sums",
                                           "Vs offset", kVsTitle,    kErrorTitle, "bits",     "result"};
constexpr std::size_t kGoingLast = 2;
constexpr std::size_t kLabelWidth = 24;
constexpr std::size_t kNarrowLabelWidth = 12;

std::vector<Column> compared_titles(const std::vector<Compared>& compared) {
  std::vector<Column> columns{{"order", Align::left}};
  for (const Compared& c : compared) columns.push_back(c.column);
  return columns;
}

// A label wider than `label_width` continues in further rows.
std::vector<Table::Row> compared_rows(const study::SampleFinding& finding, const std::vector<std::string>& labels,
                                      const std::vector<Compared>& compared, std::size_t label_width) {
  std::vector<Table::Row> rows;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const study::SampledOrder& order = finding.orders[i];
    Table::Row cells{labels[i]};
    for (const Compared& c : compared) cells.push_back(order.random ? c.random(order) : c.fixed(order));
    for (Table::Row& row : broken_row(cells, 0, label_width)) rows.push_back(std::move(row));
  }
  return rows;
}

/// How far apart numbers are.
class ResultSpread {
 public:
  void add(const std::optional<double>& value) {
    if (!value) {
      complete_ = false;
      return;
    }
    least_ = std::min(least_, *value);
    greatest_ = std::max(greatest_, *value);
  }

  /// Empty where a number was not there.
  std::optional<double> width() const { return complete_ ? std::optional(greatest_ - least_) : std::nullopt; }

 private:
  double least_ = HUGE_VAL;
  double greatest_ = -HUGE_VAL;
  bool complete_ = true;
};

}  // namespace

std::vector<std::string> order_labels(const study::SampleFinding& finding) {
  std::vector<std::string> plain;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < finding.orders.size(); ++i) {
    std::string label;
    for (const char c : valid_utf8(finding.asked[i].typed)) {
      const bool blank = (c >= 0 && c <= ' ') || c == '\x7f';
      if (!blank || (!label.empty() && label.back() != ' ')) label += blank ? ' ' : c;
    }
    if (label.ends_with(' ')) label.pop_back();
    const auto same = std::count(plain.begin(), plain.end(), label);
    labels.push_back(same == 0 ? label : fmt::format("{} #{}", label, same + 1));
    plain.push_back(std::move(label));
  }
  return labels;
}

std::string comparison_table(const study::SampleFinding& finding, const std::vector<std::string>& labels,
                             const TextStyle& style) {
  const auto is_fixed = [](const study::SampledOrder& order) { return !order.random; };
  const auto fixed = std::count_if(finding.orders.begin(), finding.orders.end(), is_fixed);
  const std::vector<Compared> compared =
      compared_columns(static_cast<std::size_t>(fixed), finding.orders.size(), !finding.baseline.empty());
  const std::vector<Column> columns = compared_titles(compared);
  std::vector<std::string_view> dispensable;
  for (const std::string_view title : kGivingWay)
    if (std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return c.title == title; }))
      dispensable.push_back(title);
  const std::size_t last = fixed > 0 ? kGoingLast : 0;
  const auto table = [&](std::size_t label_width, std::size_t columns_kept, bool color) {
    return fitting_table(columns, compared_rows(finding, labels, compared, label_width),
                         std::span(dispensable).first(dispensable.size() - columns_kept), style.width, color);
  };
  const std::string wide = table(kLabelWidth, last, false);
  if (display_width(wide.substr(0, wide.find('\n'))) <= static_cast<std::size_t>(style.width))
    return table(kLabelWidth, last, style.color);
  return table(kNarrowLabelWidth, 0, style.color);
}

std::string agreement_line(const study::SampleFinding& finding) {
  const ShownUnit unit(finding.input);
  std::size_t fixed = 0;
  std::set<std::uint64_t> results;
  ResultSpread errors;
  ResultSpread relative;
  for (const study::SampledOrder& order : finding.orders) {
    if (order.random) continue;
    ++fixed;
    results.insert(bits_of(order.counts.frame().format, order.counts.results().values[0].value));
    errors.add(unit.errors(order.metrics).min);
    relative.add(order.metrics.of<ErrorSummary>().relative.min);
  }
  if (fixed < 2) return "";
  const std::string which = fixed == finding.orders.size() ? "orders" : "fixed orders";
  if (results.size() == 1)
    return fmt::format("{} {} give the same result.", fixed == 2 ? "Both" : fmt::format("All {}", fixed), which);
  std::string text = fmt::format("{} different results among {} {}", results.size(), fixed, which);
  if (const auto apart = errors.width()) {
    text += fmt::format(", {}{} {} apart", results.size() > 2 ? "up to " : "", number(*apart, 3), unit.name());
    if (const auto share = relative.width()) text += fmt::format(" (relative {})", number(*share, 2));
  }
  return text + ".";
}

}  // namespace orderlab
