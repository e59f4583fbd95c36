#include "page/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace orderlab {

namespace axes {
const Axis kTerms{"terms", [](const StudyPoint& p) { return p.terms; }};
const Axis kFormat{"format", [](const StudyPoint& p) { return to_string(p.formats); }};
const Axis kBaseline{"baseline",
                     [](const StudyPoint& p) { return p.baseline.empty() ? "own baseline" : "against " + p.baseline; }};
const Axis kSamples{
    "samples", [](const StudyPoint& p) { return p.random ? std::to_string(p.samples) + " samples" : std::string(); }};
const Axis kOrder{"order", [](const StudyPoint& p) { return p.order; }};
const Axis kArrival{"arrival", [](const StudyPoint& p) { return p.arrival; }};
const Axis kN{"n", [](const StudyPoint& p) { return std::to_string(p.n); }};
}  // namespace axes

namespace {

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

std::vector<std::string> values_of(const Study& study, const Axis& axis) {
  std::vector<std::string> values;
  for (const StudyPoint& point : study.points)
    if (const std::string value = axis.text(point); !value.empty()) add_new(values, value);
  return values;
}

bool varies(const Study& study, const Axis& axis) {
  std::string first;
  for (const StudyPoint& point : study.points) {
    const std::string value = axis.text(point);
    if (first.empty()) first = value;
    if (!value.empty() && value != first) return true;
  }
  return false;
}

std::vector<Cell> cells_of(const Study& study, const Axis* except) {
  // What varies is the study's, not the point's: asked once.
  const bool arrivals = varies(study, axes::kArrival);
  std::vector<const Axis*> facets;
  for (const Axis* axis : {&axes::kTerms, &axes::kFormat, &axes::kBaseline, &axes::kSamples})
    if (axis != except && varies(study, *axis)) facets.push_back(axis);
  std::vector<Cell> cells;
  std::map<std::tuple<std::string, std::string, std::uint64_t, std::string>, std::size_t> places;
  for (const StudyPoint& point : study.points) {
    std::string facet;
    for (const Axis* axis : facets)
      if (const std::string value = axis->text(point); !value.empty()) facet += (facet.empty() ? "" : ", ") + value;
    const std::string series = arrivals && !point.arrival.empty() ? point.order + " · " + point.arrival : point.order;
    const std::string apart = except == nullptr ? std::string() : except->text(point);
    const auto [place, added] = places.try_emplace({series, facet, point.n, apart}, cells.size());
    if (added) cells.push_back({series, facet, {}});
    cells[place->second].points.push_back(&point);
  }
  return cells;
}

std::vector<std::string> series_names(const std::vector<Cell>& cells) {
  std::vector<std::string> names;
  for (const Cell& cell : cells) add_new(names, cell.series);
  return names;
}

std::vector<std::string> facet_names(const std::vector<Cell>& cells) {
  std::vector<std::string> names;
  for (const Cell& cell : cells) add_new(names, cell.facet);
  return names;
}

std::optional<Spread> spread_of(const Cell& cell, Quantity quantity) {
  double logs = 0;
  int count = 0;
  Spread spread{0, INFINITY, 0};
  for (const StudyPoint* point : cell.points) {
    const double value = std::fabs((point->*quantity).value_or(0));
    if (!(value > 0) || !std::isfinite(value)) continue;
    logs += std::log(value);
    ++count;
    spread.least = std::min(spread.least, value);
    spread.greatest = std::max(spread.greatest, value);
  }
  if (count == 0) return std::nullopt;
  spread.geometric_mean = std::exp(logs / count);
  return spread;
}

std::vector<Cell> at_largest_n(const std::vector<Cell>& cells) {
  std::vector<Cell> kept;
  for (const Cell& cell : cells) {
    const bool larger = std::any_of(cells.begin(), cells.end(), [&](const Cell& other) {
      return other.series == cell.series && other.facet == cell.facet && other.first().n > cell.first().n;
    });
    if (!larger) kept.push_back(cell);
  }
  return kept;
}

}  // namespace orderlab
