#include "page/sweep_config.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "config/json.hpp"
#include "config/point_config.hpp"
#include "sweep/config_file.hpp"

namespace orderlab {

namespace {

// A JSON string of these is a basic string of TOML too.
std::string quoted(const std::string& text) { return Json(text).dump(); }

std::string toml_text(const Axis& axis, const std::string& text) {
  return text.empty() || axis_json(axis, text).is_number() ? text : quoted(text);
}

std::string toml_text(const Axis& axis, const PointConfig& point) { return toml_text(axis, text_on(axis, point)); }

using Points = std::vector<const PointConfig*>;

// Seeds of terms are axes of their own where some are not the seeds of the orders.
std::vector<const Axis*> axes_of(const Points& points) {
  const bool own_input_seeds =
      std::any_of(points.begin(), points.end(), [](const PointConfig* p) { return p->input_seed != p->seed; });
  std::vector<const Axis*> axes;
  for (const Axis* axis : axes_in_toml())
    if (axis != &axes::kInputSeed || own_input_seeds) axes.push_back(axis);
  return axes;
}

/// An axis with its values, in the order in which points have them first.
struct ValuedAxis {
  static constexpr std::size_t kNone = ~std::size_t{0};

  const Axis* axis;
  std::vector<std::string> values;
  std::vector<std::size_t> of_points;  ///< which of the values each point has, or kNone

  ValuedAxis(const Axis& on, const Points& points) : axis(&on) {
    std::unordered_map<std::string, std::size_t> places;
    for (const PointConfig* point : points) {
      const std::string text = toml_text(on, *point);
      if (text.empty()) {
        of_points.push_back(kNone);
        continue;
      }
      const auto [place, added] = places.try_emplace(text, values.size());
      if (added) values.push_back(text);
      of_points.push_back(place->second);
    }
  }
};

bool is_default(const Axis& axis, const std::vector<std::string>& values) {
  return !axis.always_written && values.size() == 1 && values[0] == toml_text(axis, std::string(axis.default_text));
}

std::string bracketed(const std::vector<std::string>& values) {
  if (values.size() == 1) return values[0];
  std::string line;
  for (const std::string& value : values) line += (line.empty() ? "" : ", ") + value;
  return "[" + line + "]";
}

// Conditions for the pairs of two axes that no point has: { order = "ao", arrival = "jitter(3)" }. A point without a
// value on either axis, as a fixed order has no arrival, belongs to no pair.
std::vector<std::string> excluded_pairs(const ValuedAxis& a, const ValuedAxis& b) {
  std::vector<std::string> conditions;
  if (a.values.size() < 2 || b.values.size() < 2) return conditions;  // then every pair is there
  std::vector<std::vector<std::size_t>> pairs(a.values.size());
  std::vector<bool> paired(b.values.size(), false);
  for (std::size_t i = 0; i < a.of_points.size(); ++i) {
    if (a.of_points[i] == ValuedAxis::kNone || b.of_points[i] == ValuedAxis::kNone) continue;
    pairs[a.of_points[i]].push_back(b.of_points[i]);
    paired[b.of_points[i]] = true;
  }
  for (std::size_t here = 0; here < pairs.size(); ++here) {
    if (pairs[here].empty()) continue;
    std::vector<bool> lacking = paired;
    for (const std::size_t there : pairs[here]) lacking[there] = false;
    std::vector<std::string> missing;
    for (std::size_t there = 0; there < lacking.size(); ++there)
      if (lacking[there]) missing.push_back(b.values[there]);
    if (!missing.empty())
      conditions.push_back("{ " + std::string(a.axis->name) + " = " + a.values[here] + ", " +
                           std::string(b.axis->name) + " = " + bracketed(missing) + " }");
  }
  return conditions;
}

}  // namespace

std::string sweep_config(const SweepContent& content) {
  std::string toml = "title = " + quoted(content.title) + "\nquestion = " + quoted(content.question) + "\n\n";
  if (!content.published.empty())
    toml += "# published = " + quoted(content.published.file) + ": shown beside the points; give its path\n";
  const Points points = content.configs();
  if (std::any_of(points.begin(), points.end(), [](const PointConfig* point) { return point->given_terms; }))
    toml += "# xxh3:... is the hash of what a file held; give its path\n";
  std::vector<ValuedAxis> axes;
  for (const Axis* axis : axes_of(points)) axes.emplace_back(*axis, points);
  for (const auto& [axis, values, of_points] : axes)
    if (!values.empty() && !is_default(*axis, values))
      toml += std::string(axis->name) + " = " + bracketed(values) + "\n";
  if (points.size() < content.planned) return toml;  // missing points may only be unfinished
  std::vector<std::string> excluded;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t k = i + 1; k < axes.size(); ++k)
      for (std::string& pair : excluded_pairs(axes[i], axes[k])) excluded.push_back(std::move(pair));
  for (std::size_t i = 0; i < excluded.size(); ++i)
    toml += (i == 0 ? "exclude = [\n  " : "  ") + excluded[i] + (i + 1 < excluded.size() ? ",\n" : "\n]\n");
  return toml;
}

}  // namespace orderlab
