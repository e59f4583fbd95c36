#include "page/stopped_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "page/number_words.hpp"

namespace orderlab {

namespace {

/// A sum of terms of one sign that lacks this part of the exact sum, and more with each size, is not just inaccurate.
constexpr double kLost = 0.5;

std::optional<double> common_value_of(const Cell& cell) {
  std::optional<double> value;
  for (const SumPoint* point : cell.points) {
    if (!point->common_value || point->not_finite > 0 || (value && *value != *point->common_value)) return std::nullopt;
    value = point->common_value;
  }
  return value;
}

// What the metric `stagnation` found on all inputs, where it is one value.
std::optional<double> stagnation_of(const Cell& cell) {
  const std::optional<double> first = cell.first().stagnation;
  const bool common = std::all_of(cell.points.begin(), cell.points.end(),
                                  [&](const SumPoint* point) { return point->stagnation == first; });
  return common ? first : std::nullopt;
}

std::string sum_in_words(double value) {
  const double size = std::fabs(value);
  if (size < 1e15 && size == std::floor(size))
    return (value < 0 ? "−" : "") + count_in_words(static_cast<std::uint64_t>(size));
  return in_words(value, 4);
}

/// What became of the orders of one facet.
struct StoppedSums {
  std::map<double, std::vector<std::string>> at;
  std::vector<std::string> grows;
  std::map<std::uint64_t, std::vector<std::string>> overflows;  ///< the smallest n, and the orders
};

StoppedSums stopped_in(const std::vector<Cell>& cells, const std::string& facet) {
  StoppedSums stopped;
  for (const std::string& series : series_names(cells)) {
    std::uint64_t overflow = 0;
    bool here = false;
    for (const Cell& cell : cells) {
      if (cell.series != series || cell.facet != facet) continue;
      here = true;
      if (not_finite_of(cell) > 0 && (overflow == 0 || cell.first().n < overflow)) overflow = cell.first().n;
    }
    if (!here) continue;
    if (const auto value = stopped_at(cells, series, facet))
      stopped.at[*value].push_back(series);
    else if (overflow > 0)
      stopped.overflows[overflow].push_back(series);
    else
      stopped.grows.push_back(series);
  }
  return stopped;
}

std::string text_of_stopped(const StoppedSums& stopped) {
  std::string text = "sums stop growing ";
  std::vector<std::string> places;
  for (const auto& [value, orders] : stopped.at)
    places.push_back(fmt::format("at {} ({})", sum_in_words(value), listed(orders)));
  text += listed(places);
  const auto verb = [](const std::vector<std::string>& orders, const char* one, const char* several) {
    return orders.size() > 1 ? several : one;
  };
  if (!stopped.grows.empty())
    text += fmt::format("; {} {} not stop", listed(stopped.grows), verb(stopped.grows, "does", "do"));
  for (const auto& [n, orders] : stopped.overflows)
    text += fmt::format("; {} {} not stop and {} at n = {}", listed(orders), verb(orders, "does", "do"),
                        verb(orders, "overflows", "overflow"), count_in_words(n));
  return text;
}

}  // namespace

std::optional<double> stopped_at(const std::vector<Cell>& cells, const std::string& series, const std::string& facet) {
  std::map<std::uint64_t, const Cell*> sizes;
  for (const Cell& cell : cells)
    if (cell.series == series && cell.facet == facet) sizes[cell.first().n] = &cell;
  if (sizes.empty()) return std::nullopt;
  const Cell& largest = *sizes.rbegin()->second;
  if (const auto found = stagnation_of(largest)) return found;
  if (sizes.size() < 2) return std::nullopt;
  const Cell& before = *std::next(sizes.rbegin())->second;
  const auto value = common_value_of(largest);
  const auto error = spread_of(largest, &SumPoint::relative_max_abs);
  if (!value || !error || common_value_of(before) != value || error->least < kLost || error->moved < error->inputs)
    return std::nullopt;
  return value;
}

std::vector<std::string> stopped_in_words(const std::vector<Cell>& cells) {
  std::vector<std::pair<double, std::pair<std::string, std::vector<std::string>>>> sentences;  // sum, text, facets
  for (const std::string& facet : facet_names(cells)) {
    const StoppedSums stopped = stopped_in(cells, facet);
    if (stopped.at.empty()) continue;
    const std::string text = text_of_stopped(stopped);
    const auto same = std::find_if(sentences.begin(), sentences.end(),
                                   [&](const auto& sentence) { return sentence.second.first == text; });
    if (same != sentences.end())
      same->second.second.push_back(facet);
    else
      sentences.push_back({stopped.at.begin()->first, {text, {facet}}});
  }
  std::stable_sort(sentences.begin(), sentences.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  for (const auto& [value, sentence] : sentences) {
    std::string where;
    for (const std::string& facet : sentence.second) where += (where.empty() ? "" : "; ") + facet;
    std::string text = sentence.first + ".";
    if (where.empty()) text[0] = 'S';
    texts.push_back((where.empty() ? "" : where + ": ") + text);
  }
  return texts;
}

}  // namespace orderlab
