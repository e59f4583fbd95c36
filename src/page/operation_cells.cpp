#include "page/operation_cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/text.hpp"
#include "page/number_words.hpp"

namespace orderlab {

namespace {

double place_of(const OperationPoint& point, OperationSize over) {
  if (over == OperationSize::outputs) return static_cast<double>(point.outputs);
  return read_real(point.ratio).value_or(NAN);
}

// A name alone, "cumsum", is of the operation with any arguments.
bool is_operation(const std::string& published, const std::string& op) {
  return published.empty() || published == op || published == op.substr(0, op.find('('));
}

}  // namespace

double OperationCell::mean(const OperationQuantity& quantity) const {
  double sum = 0;
  for (const OperationPoint* point : points) sum += (point->measures.*quantity.measured).mean;
  return sum / static_cast<double>(points.size());
}

std::optional<double> OperationCell::sd(const OperationQuantity& quantity) const {
  double squares = 0;
  for (const OperationPoint* point : points) {
    const std::optional<double> sd = (point->measures.*quantity.measured).sd;
    if (!sd) return std::nullopt;
    squares += *sd * *sd;
  }
  return std::sqrt(squares / static_cast<double>(points.size()));
}

std::optional<double> OperationCell::expected() const {
  double sum = 0;
  for (const OperationPoint* point : points) {
    if (!point->measures.vc_expected) return std::nullopt;
    sum += *point->measures.vc_expected;
  }
  return sum / static_cast<double>(points.size());
}

double OperationCell::offset() const {
  double sum = 0;
  for (const OperationPoint* point : points) sum += point->measures.offset_vc;
  return sum / static_cast<double>(points.size());
}

std::string operation_words(const Axis& axis, const OperationPoint& point) {
  if (&axis == &axes::kBaseline) return "against " + std::string(study::name_of(point.measures.baseline));
  if (&axis == &axes::kArrival) return point.arrival_model;
  if (&axis == &axes::kSamples) return count_in_words(point.asked) + " samples";
  const std::string text = text_on(axis, point);
  return axis.kind == AxisKind::text || text.empty() ? text : std::string(axis.name) + " = " + text;
}

bool operations_vary(const SweepContent& content, const Axis& axis) {
  std::set<std::string> words;
  for (const OperationPoint& point : content.operations) words.insert(operation_words(axis, point));
  return words.size() > 1;
}

void join(std::string& names, const std::string& separator, const std::string& name) {
  if (!name.empty()) names += (names.empty() ? "" : separator) + name;
}

std::vector<std::string> names_of(const std::vector<OperationCell>& cells, std::string OperationCell::*name) {
  std::vector<std::string> names;
  for (const OperationCell& cell : cells)
    if (std::find(names.begin(), names.end(), cell.*name) == names.end()) names.push_back(cell.*name);
  return names;
}

std::string percent_in_words(double share) { return in_words(100 * share) + " %"; }

std::vector<OperationCell> operation_cells(const SweepContent& content, OperationSize over) {
  const Axis& other = over == OperationSize::outputs ? axes::kRatio : axes::kShape;
  std::vector<const Axis*> series;
  for (const Axis* axis : {&axes::kOp, &axes::kOrder, &axes::kArrival})
    if (operations_vary(content, *axis)) series.push_back(axis);
  std::vector<const Axis*> facets;
  for (const Axis* axis : axes_in_operation_json()) {
    const bool named = axis == &axes::kOp || axis == &axes::kOrder || axis == &axes::kArrival;
    const bool is_x = axis == (over == OperationSize::outputs ? &axes::kShape : &axes::kRatio);
    if (named || is_x || axis->role == AxisRole::input || axis->role == AxisRole::none) continue;
    if (!operations_vary(content, *axis)) continue;
    (axis == &other && series.empty() ? series : facets).push_back(axis);
  }
  std::vector<OperationCell> cells;
  std::map<std::tuple<std::string, std::string, double>, std::size_t> places;
  for (const OperationPoint& point : content.operations) {
    OperationCell cell{{}, {}, place_of(point, over), {}};
    if (!std::isfinite(cell.x)) continue;
    for (const Axis* axis : series) join(cell.series, " · ", operation_words(*axis, point));
    for (const Axis* axis : facets) join(cell.facet, ", ", operation_words(*axis, point));
    if (cell.series.empty()) cell.series = point.op;
    const auto [place, added] = places.try_emplace({cell.series, cell.facet, cell.x}, cells.size());
    if (added) cells.push_back(std::move(cell));
    cells[place->second].points.push_back(&point);
  }
  return cells;
}

const PublishedRow* published_of(const SweepContent& content, const OperationPoint& point) {
  const std::optional<std::uint64_t> n = count_in(point.shape.substr(0, point.shape.find('x')));
  const std::optional<double> ratio = read_real(point.ratio);
  const std::vector<PublishedRow>& rows = content.published.rows;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const PublishedRow& row) {
    return is_operation(row.op, point.op) && (!row.n || row.n == n) && (!row.ratio || row.ratio == ratio);
  });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace orderlab
