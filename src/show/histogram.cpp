#include "show/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "show/colors.hpp"
#include "show/table.hpp"

namespace orderlab {

std::string histogram_bar(double weight, double largest, std::size_t columns) {
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (weight == 0) return "";
  const double share = weight / largest;
  const auto length = static_cast<std::size_t>(std::lround(share * static_cast<double>(columns) * 8));
  const std::size_t eighths = std::max<std::size_t>(length, 1);
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + std::string(kEighths[eighths % 8]);
}

namespace {

constexpr std::size_t kMaxRows = 15;

struct Row {
  std::string label;
  double weight;
  bool zero;
};

double read_back(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Texts of `values`, all with the same number of decimals (or digits, if decimals would be long), chosen so that none
// is off by more than `tolerance`.
std::vector<std::string> number_texts(const std::vector<double>& values, double tolerance) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  const bool fixed = largest < 1e9 && tolerance > 1e-9;
  std::vector<std::string> texts(values.size());
  for (int digits = fixed ? 0 : 3; digits <= 17; ++digits) {
    bool good = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      texts[i] = fixed ? fmt::format("{:.{}f}", values[i], digits) : fmt::format("{:.{}g}", values[i], digits);
      const double back = read_back(texts[i]);
      if (back == 0 && texts[i].front() == '-') texts[i].erase(0, 1);
      good = good && std::fabs(back - values[i]) <= tolerance;
    }
    if (good) break;
  }
  return texts;
}

void align_right(std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  for (std::string& text : texts) text.insert(0, width - text.size(), ' ');
}

// One row a position. Their texts are off by far less than they differ from each other.
std::vector<Row> single_rows(std::span<const Weighted> points) {
  constexpr double kDigitsOfAGap = 0.01;
  std::vector<double> positions;
  double gap = std::numeric_limits<double>::infinity();
  for (const Weighted& point : points) {
    if (!positions.empty()) gap = std::min(gap, point.value - positions.back());
    positions.push_back(point.value);
  }
  if (points.size() == 1) gap = std::fabs(positions[0]);
  std::vector<std::string> texts = number_texts(positions, gap * kDigitsOfAGap);
  align_right(texts);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < points.size(); ++i) rows.push_back({texts[i], points[i].weight, positions[i] == 0.0});
  return rows;
}

// Bins of `mantissa` * 10^`exponent`.
struct Binning {
  int mantissa = 1;
  int exponent = 0;

  // Scaling by a power of ten that is exact (up to 10^22) keeps 0.15 in the bin that starts there.
  double index(double position) const {
    const double scaled = exponent < 0 ? position * std::pow(10, -exponent) : position / std::pow(10, exponent);
    return std::floor(scaled / mantissa);
  }
  double edge(double i) const {
    return exponent < 0 ? i * mantissa / std::pow(10, -exponent) : i * mantissa * std::pow(10, exponent);
  }
};

// The narrowest bins of which few enough cover the points.
Binning binning(double low, double high) {
  const double rows = static_cast<double>(kMaxRows);
  const double share = std::max(high / rows - low / rows, 1e-300);  // powers of ten and their inverses stay finite
  Binning bins{1, static_cast<int>(std::floor(std::log10(share))) - 1};
  while (!(bins.index(high) - bins.index(low) < rows)) {
    bins.mantissa = bins.mantissa == 1 ? 2 : bins.mantissa == 2 ? 5 : 1;
    if (bins.mantissa == 1) ++bins.exponent;
  }
  return bins;
}

std::vector<Row> binned_rows(std::span<const Weighted> points) {
  const Binning bins = binning(points.front().value, points.back().value);
  const double first = bins.index(points.front().value);
  const auto count = static_cast<std::size_t>(bins.index(points.back().value) - first) + 1;
  std::vector<double> edges;
  for (std::size_t i = 0; i <= count; ++i) edges.push_back(bins.edge(first + static_cast<double>(i)));
  std::vector<std::string> texts = number_texts(edges, (edges[1] - edges[0]) * 1e-6);
  align_right(texts);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i)
    rows.push_back({fmt::format("[{},{})", texts[i], texts[i + 1]), 0, first + static_cast<double>(i) == 0.0});
  for (const Weighted& point : points)
    rows[static_cast<std::size_t>(bins.index(point.value) - first)].weight += point.weight;
  return rows;
}

// Rows that join whole bins, so that counts are exact. Joined bins begin at multiples of their width from the edge that
// lies nearest to 0.
std::vector<Row> joined_rows(const Distribution& distribution) {
  const std::vector<Weighted>& bins = distribution.values;
  const double width = distribution.width;
  const double first_edge = bins.front().value;
  const double nearest = first_edge - width * std::round(first_edge / width);
  const auto place = [&](const Weighted& bin) { return std::round((bin.value - nearest) / width); };
  double joined = 1;
  const auto row_of = [&](const Weighted& bin) { return std::floor(place(bin) / joined); };
  while (!(row_of(bins.back()) - row_of(bins.front()) < static_cast<double>(kMaxRows))) joined *= 2;
  const double first = row_of(bins.front());
  const auto count = static_cast<std::size_t>(row_of(bins.back()) - first) + 1;
  std::vector<double> edges;
  for (std::size_t i = 0; i <= count; ++i) edges.push_back(nearest + width * joined * (first + static_cast<double>(i)));
  std::vector<std::string> texts = number_texts(edges, width * joined * 0.01);
  align_right(texts);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i)
    rows.push_back({fmt::format("[{},{})", texts[i], texts[i + 1]), 0, edges[i] <= 0 && 0 < edges[i + 1]});
  for (const Weighted& bin : bins) rows[static_cast<std::size_t>(row_of(bin) - first)].weight += bin.weight;
  return rows;
}

// Points with 0 among them where it lies between two.
std::vector<Row> number_rows(std::span<const Weighted> points) {
  std::vector<Weighted> with_zero(points.begin(), points.end());
  const auto at = std::find_if(with_zero.begin(), with_zero.end(), [](const auto& p) { return p.value >= 0; });
  if (at != with_zero.begin() && at != with_zero.end() && at->value > 0) with_zero.insert(at, Weighted{0, 0});
  return with_zero.size() <= kMaxRows ? single_rows(with_zero) : binned_rows(points);
}

std::string histogram_percent(double weight, double total) {
  if (weight == 0) return "0.0%";
  const double value = 100 * weight / total;
  if (value < 0.05) return "<0.1%";
  if (value >= 99.95 && weight < total) return ">99.9%";
  return fmt::format("{:.1f}%", value);
}

// What is left beside the bar, and how many columns the bar gets.
struct Layout {
  bool percents = true;
  std::string unit;
  std::string mark;
  std::size_t bar = 0;
};

// Gives up what matters least until the bar has its columns.
Layout layout_of(std::size_t width, std::size_t label, std::size_t count, bool zero, const HistogramLabels& labels) {
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kPercent = 6;  // ">99.9%"
  constexpr std::size_t kLeastBar = 8;
  const std::string unit = labels.unit.empty() ? "" : " " + labels.unit;
  const std::string arrow = zero ? "  ←" : "";
  const std::string mark = zero && !labels.zero.empty() ? arrow + " " + labels.zero : arrow;
  Layout layout;
  for (const Layout& choice : {Layout{true, unit, mark}, Layout{true, unit, arrow}, Layout{true, "", arrow},
                               Layout{false, "", arrow}, Layout{false, "", ""}}) {
    layout = choice;
    const std::size_t rest = label + display_width(layout.unit) + kGap + count +
                             (layout.percents ? kGap + kPercent : 0) + display_width(layout.mark);
    layout.bar = width > rest + kGap ? width - rest - kGap : 0;
    if (layout.bar >= kLeastBar) break;
  }
  return layout;
}

}  // namespace

std::string histogram_text(const Distribution& points, int width, const HistogramLabels& labels, bool color) {
  if (points.empty()) return {};
  const std::vector<Row> rows = points.width > 0 ? joined_rows(points) : number_rows(points.values);
  double total = 0;
  double largest = 0;
  for (const Row& row : rows) {
    total += row.weight;
    largest = std::max(largest, row.weight);
  }
  const std::size_t digits = fmt::format("{:.0f}", largest).size();
  const bool zero = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.zero; });
  const auto columns = static_cast<std::size_t>(std::max(width, 40));
  const Layout layout = layout_of(columns, rows[0].label.size(), labels.counts ? digits : 0, zero, labels);

  std::string text;
  for (const Row& row : rows) {
    const std::string drawn = histogram_bar(row.weight, largest, layout.bar);
    text += row.zero ? bold(row.label + layout.unit, color) : row.label + layout.unit;
    if (layout.bar > 0) text += "  " + drawn + std::string(layout.bar - display_width(drawn), ' ');
    if (labels.counts) text += fmt::format("  {:>{}.0f}", row.weight, digits);
    if (layout.percents) text += "  " + dim(fmt::format("{:>6}", histogram_percent(row.weight, total)), color);
    if (row.zero) text += bold(layout.mark, color);
    text += "\n";
  }
  return text;
}

}  // namespace orderlab
