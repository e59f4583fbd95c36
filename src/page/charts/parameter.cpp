// Spread and different results against a number in the orders' text: the size of thread blocks, the count of chunks.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "core/ascii.hpp"
#include "page/cells.hpp"
#include "page/chart.hpp"
#include "page/number_words.hpp"
#include "page/series_plot.hpp"

namespace orderlab {

namespace {

/// An order with one of its numbers cut out: "spa(" 64 ")".
struct Cut {
  std::string before;
  std::string after;
  double value;
};

std::vector<Cut> cuts_of(const std::string& order) {
  std::vector<Cut> cuts;
  for (std::size_t at = 0; at < order.size();) {
    const std::size_t begin = order.find_first_of("0123456789", at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(order.find_first_not_of("0123456789", begin), order.size());
    double value = 0;
    std::from_chars(order.data() + begin, order.data() + end, value);
    // "sha256(", "2e5": no number of its own
    if ((begin == 0 || !is_letter_or_digit(order[begin - 1])) && value > 0)
      cuts.push_back({order.substr(0, begin), order.substr(end), value});
    at = end;
  }
  return cuts;
}

constexpr std::size_t kLeastValues = 3;

/// The family with the most members: orders that differ in one number. Empty where there is none of three.
std::optional<std::pair<std::string, std::string>> largest_family(const std::vector<std::string>& orders) {
  std::map<std::pair<std::string, std::string>, std::set<double>> families;
  for (const std::string& order : orders)
    for (const Cut& cut : cuts_of(order)) families[{cut.before, cut.after}].insert(cut.value);
  const auto largest = std::max_element(families.begin(), families.end(),
                                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (largest == families.end() || largest->second.size() < kLeastValues) return std::nullopt;
  return largest->first;
}

std::optional<double> value_in(const std::pair<std::string, std::string>& family, const std::string& order) {
  for (const Cut& cut : cuts_of(order))
    if (cut.before == family.first && cut.after == family.second) return cut.value;
  return std::nullopt;
}

// Sizes share a chart as series, everything else as facets.
std::string series_of(const Cell& cell, bool arrivals) {
  const std::string n = "n = " + count_in_words(cell.first().n);
  return arrivals ? n + " · " + cell.first().arrival : n;
}

struct ParameterLine {
  std::string series;
  std::string facet;
  std::vector<XY> spreads;
  XY first{0, 0};
  XY last{0, 0};
  std::map<double, const Cell*> at = {};  ///< by value

  std::string where() const { return facet.empty() ? series : series + ", " + facet; }
};

std::vector<ParameterLine> parameter_lines(const SweepContent& content, const std::vector<Cell>& cells,
                                           const std::pair<std::string, std::string>& family, SeriesPlot& plot) {
  const bool arrivals = varies(content, axes::kArrival);
  std::vector<ParameterLine> lines;
  for (const Cell& cell : cells) {
    const auto value = value_in(family, cell.first().order);
    if (!value) continue;
    const std::string series = series_of(cell, arrivals);
    const std::string facet = cell.facet.empty() ? "" : cell.facet + ": ";
    const Quantity of_spread = measures_of(content).spread;
    const auto spread = spread_of(cell, of_spread);
    const auto distinct = spread_of(cell, &SumPoint::distinct);
    if (spread)
      plot.add(series, facet + (content.near_zero ? "spread / sum|x|" : "spread of Vs"), *value, *spread,
               SeriesPlot::Mark::rms);
    if (distinct) plot.add(series, facet + "different results", *value, *distinct, SeriesPlot::Mark::greatest);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const ParameterLine& l) { return l.series == series && l.facet == cell.facet; });
    if (line == lines.end()) line = lines.insert(line, ParameterLine{series, cell.facet, {}});
    for (const SumPoint* point : cell.points) line->spreads.push_back({*value, (point->*of_spread).value_or(0)});
    line->at[*value] = &cell;
    if (!spread || spread->moved == 0) continue;
    if (line->first.x == 0 || *value < line->first.x) line->first = {*value, spread->rms};
    if (*value > line->last.x) line->last = {*value, spread->rms};
  }
  return lines;
}

void conclude_spread(const ParameterLine& line, const std::string& name, Figure& figure) {
  if (!(line.first.y > 0) || line.first.x == line.last.x) return;
  const double times = line.last.y / line.first.y;
  const auto number = [](double value) { return count_in_words(static_cast<std::uint64_t>(value)); };
  std::string text =
      fmt::format("{}: from {} to {} in {}, the spread {} {}x", line.where(), number(line.first.x), number(line.last.x),
                  name, times < 1 ? "shrinks" : "grows", in_words(times < 1 ? 1 / times : times));
  if (const std::string growth = growth_in_words(fit_power_law(line.spreads), "goes", "x"); !growth.empty())
    text += " and" + growth;
  figure.conclusions.push_back(text + ".");
}

// "3, 4 and 6"; the first and the last where there are many.
std::string few(const std::vector<std::string>& values) {
  constexpr std::size_t kMost = 8;
  return values.size() <= kMost ? listed(values) : values.front() + ", ..., " + values.back();
}

// How many different results there are at each value, and how far apart; and the greatest count.
std::optional<std::pair<double, std::string>> results_in_words(const SweepContent& content, const ParameterLine& line,
                                                               const std::string& name) {
  double most = 0;
  std::vector<std::string> values;
  std::vector<std::string> results;
  std::vector<std::string> apart;
  for (const auto& [value, cell] : line.at) {
    const auto distinct = spread_of(*cell, &SumPoint::distinct);
    const auto range = spread_of(*cell, &SumPoint::error_range);
    if (!distinct || !range) return std::nullopt;
    most = std::max(most, distinct->greatest);
    values.push_back(count_in_words(static_cast<std::uint64_t>(value)));
    results.push_back(count_in_words(static_cast<std::uint64_t>(distinct->greatest)));
    apart.push_back(in_words(range->greatest));
  }
  const Cell& last = *line.at.rbegin()->second;
  const std::string of = last.first().all_orders ? "over all orders" : "in " + samples_in_words(last.first());
  const std::string inputs =
      last.points.size() > 1 ? fmt::format(" (maximum of {} inputs)", last.points.size()) : std::string();
  if (most <= 1)
    return std::pair{most, fmt::format("{}: {} in {} give one result each {}{}.", line.where(), few(values), name, of,
                                       last.points.size() > 1 ? ", on every input" : "")};
  return std::pair{most, fmt::format("{}: {} in {} give {} different results {}, {} {} apart{}.", line.where(),
                                     few(values), name, few(results), of, few(apart), error_unit(content), inputs)};
}

// Writes one sentence for each line, those with the most results first.
void conclude_all_results(const SweepContent& content, const std::vector<ParameterLine>& lines, const std::string& name,
                          Figure& figure) {
  std::vector<std::pair<double, std::string>> sentences;
  for (const ParameterLine& line : lines)
    if (auto sentence = results_in_words(content, line, name)) sentences.push_back(*std::move(sentence));
  std::stable_sort(sentences.begin(), sentences.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [most, sentence] : sentences) figure.conclusions.push_back(std::move(sentence));
}

std::optional<Figure> draw_parameter(const SweepContent& content) {
  const auto family = largest_family(values_of(content, axes::kOrder));
  if (!family) return std::nullopt;
  const std::string name = family->first + "x" + family->second;
  SeriesPlot plot("x in " + name, "");
  const std::vector<Cell> cells = cells_of(content);
  const std::vector<ParameterLine> lines = parameter_lines(content, cells, *family, plot);
  if (plot.empty()) return std::nullopt;
  Figure figure;
  const std::vector<std::string> orders = values_of(content, axes::kOrder);
  figure.leads = std::all_of(orders.begin(), orders.end(),
                             [&](const std::string& order) { return value_in(*family, order).has_value(); });
  const bool counted = lines.front().at.begin()->second->first().all_orders;  // exact counts are what it is about
  if (counted) conclude_all_results(content, lines, name, figure);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) conclude_spread(*line, name, figure);
  if (!counted) conclude_all_results(content, lines, name, figure);
  figure.spec = plot.spec("Spread and different results against a parameter of the order", true);
  figure.caption = fmt::format(
      "x is the number in the order's expression. Spread: {}; marks are root mean squares over the inputs. Different "
      "results: bit patterns among the samples; marks are the maximum over the inputs. Bars: smallest to largest "
      "input. "
      "Hollow marks at 0: no input moves. Power laws are fitted over the inputs that move.",
      content.near_zero ? "standard deviation of the results over sum|x|"
                        : "standard deviation of Vs over the samples, against " + baseline_in_words(content));
  return figure;
}

}  // namespace

extern const Chart kParameterChart;
const Chart kParameterChart{
    .name = "parameter", .title = "Spread against a parameter of the order", .draw = draw_parameter};

}  // namespace orderlab
