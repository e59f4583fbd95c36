#include "page/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "page/number_words.hpp"

namespace orderlab {

std::string words_on(const Axis& axis, const SumPoint& point) {
  if (&axis == &axes::kSamples) {  // those that were drawn: an interrupted run has fewer than it was asked for
    if (!point.random) return {};
    return point.all_orders ? "all orders" : std::to_string(point.samples) + " samples";
  }
  if (axis.words != nullptr) return axis.words(point);
  std::string text = text_on(axis, point);
  return axis.kind == AxisKind::text || text.empty() ? text : std::string(axis.name) + " = " + text;
}

namespace {

/// Names in the order in which they come first.
class DistinctNames {
 public:
  void add(const std::string& name) {
    if (known_.insert(name).second) names_.push_back(name);
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
};

}  // namespace

std::vector<std::string> values_of(const SweepContent& content, const Axis& axis) {
  DistinctNames values;
  for (const SumPoint& point : content.points)
    if (const std::string value = words_on(axis, point); !value.empty()) values.add(value);
  return values.take();
}

bool varies(const SweepContent& content, const Axis& axis) {
  std::string first;
  for (const SumPoint& point : content.points) {
    const std::string value = words_on(axis, point);
    if (first.empty()) first = value;
    if (!value.empty() && value != first) return true;
  }
  return false;
}

InputKey terms_of(const SumPoint& point) { return {point.input, point.input_seed}; }

std::vector<Cell> cells_of(const SweepContent& content, const Axis* except) {
  // What varies is the page's, not the point's: asked once.
  const bool arrivals = varies(content, axes::kArrival);
  std::vector<const Axis*> facets;
  for (const Axis* axis : axis_list())
    if (axis->role == AxisRole::facet && axis != except && varies(content, *axis)) facets.push_back(axis);
  std::vector<Cell> cells;
  std::map<std::tuple<std::string, std::string, std::uint64_t, std::string>, std::size_t> places;
  for (const SumPoint& point : content.points) {
    std::string facet;
    for (const Axis* axis : facets)
      if (const std::string value = words_on(*axis, point); !value.empty())
        facet += (facet.empty() ? "" : ", ") + value;
    const std::string series = arrivals && !point.arrival.empty() ? point.order + " · " + point.arrival : point.order;
    const std::string apart = except == nullptr ? std::string() : words_on(*except, point);
    const auto [place, added] = places.try_emplace({series, facet, point.n, apart}, cells.size());
    if (added) cells.push_back({series, facet, apart, {}});
    cells[place->second].points.push_back(&point);
  }
  return cells;
}

std::vector<std::string> series_names(const std::vector<Cell>& cells) {
  DistinctNames names;
  for (const Cell& cell : cells) names.add(cell.series);
  return names.take();
}

std::vector<std::string> facet_names(const std::vector<Cell>& cells) {
  DistinctNames names;
  for (const Cell& cell : cells) names.add(cell.facet);
  return names.take();
}

Measures measures_of(const SweepContent& content) {
  if (content.near_zero)
    return {&SumPoint::part_max_abs, &SumPoint::apart_spread, &SumPoint::apart_max_abs, "difference / sum|x|"};
  return {&SumPoint::relative_max_abs, &SumPoint::vs_spread, &SumPoint::vs_max_abs, "Vs"};
}

std::optional<Spread> spread_of(const Cell& cell, Quantity quantity) {
  Spread spread;
  for (const SumPoint* point : cell.points) {
    const double value = std::fabs((point->*quantity).value_or(NAN));
    if (!std::isfinite(value)) continue;
    ++spread.inputs;
    spread.greatest = std::max(spread.greatest, value);
    if (!(value > 0)) continue;
    spread.least = spread.moved == 0 ? value : std::min(spread.least, value);
    ++spread.moved;
  }
  if (spread.inputs == 0) return std::nullopt;
  if (spread.moved == 0) return spread;
  double squares = 0;  // in units of the greatest, so that none overflows
  for (const SumPoint* point : cell.points)
    if (const double value = (point->*quantity).value_or(NAN); std::isfinite(value))
      squares += (value / spread.greatest) * (value / spread.greatest);
  spread.rms = spread.greatest * std::sqrt(squares / static_cast<double>(spread.inputs));
  return spread;
}

std::uint64_t not_finite_of(const Cell& cell) {
  std::uint64_t results = 0;
  for (const SumPoint* point : cell.points) results += point->not_finite;
  return results;
}

namespace {

using DrawKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

DrawKey draw_of(const SumPoint& point) { return {point.input, point.input_seed, point.seed}; }

// Inputs that a part of a sweep has finished for some cells of a facet only would favour those; where no input is
// common they stay.
void keep_common_inputs(std::vector<Cell>& cells) {
  std::map<std::string, std::pair<std::size_t, std::map<DrawKey, std::size_t>>> facets;
  for (const Cell& cell : cells) {
    auto& [count, inputs] = facets[cell.facet];
    ++count;
    for (const SumPoint* point : cell.points) ++inputs[draw_of(*point)];
  }
  for (Cell& cell : cells) {
    const auto& [count, inputs] = facets[cell.facet];
    std::vector<const SumPoint*> common;
    for (const SumPoint* point : cell.points)
      if (inputs.at(draw_of(*point)) == count) common.push_back(point);
    if (!common.empty()) cell.points = std::move(common);
  }
}

}  // namespace

std::vector<Cell> at_common_n(const std::vector<Cell>& cells) {
  std::map<std::string, std::map<std::uint64_t, std::size_t>> lines;  // by facet: how many cells have an n
  for (const Cell& cell : cells) ++lines[cell.facet][cell.first().n];
  std::map<std::string, std::uint64_t> common;
  for (const auto& [facet, sizes] : lines)
    common[facet] = std::max_element(sizes.rbegin(), sizes.rend(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                    })->first;
  std::vector<Cell> kept;
  for (const Cell& cell : cells)
    if (cell.first().n == common.at(cell.facet)) kept.push_back(cell);
  keep_common_inputs(kept);
  return kept;
}

std::vector<Cell> compared_cells(const SweepContent& content, const Axis* except) {
  std::vector<Cell> cells = at_common_n(cells_of(content, except));
  const auto other = [&](const Cell& cell) { return cell.first().n != cells.front().first().n; };
  if (std::any_of(cells.begin(), cells.end(), other))
    for (Cell& cell : cells)
      cell.facet = "n = " + count_in_words(cell.first().n) + (cell.facet.empty() ? "" : ", " + cell.facet);
  return cells;
}

std::string place_in_words(const Cell& compared) {
  const std::string n = "n = " + count_in_words(compared.first().n);
  if (compared.facet.starts_with(n)) return compared.facet;  // where compared_cells wrote it
  return compared.facet.empty() ? n : n + ", " + compared.facet;
}

std::string common_n_in_words(const std::vector<Cell>& compared) {
  const std::uint64_t n = compared.front().first().n;
  const bool one = std::all_of(compared.begin(), compared.end(), [n](const Cell& c) { return c.first().n == n; });
  return one ? "n = " + count_in_words(n) : "the largest n that all orders of a panel have finished";
}

std::string moved_in_words(const Spread& spread) {
  if (spread.moved == 0 || spread.moved == spread.inputs) return {};
  return " on " + std::to_string(spread.moved) + " of " + std::to_string(spread.inputs) + " inputs";
}

}  // namespace orderlab
