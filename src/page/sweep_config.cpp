#include "page/sweep_config.hpp"

#include <algorithm>
#include <map>
#include <set>
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

/// The values on an axis, in the order in which points have them first.
std::vector<std::string> values_on(const Axis& axis, const Points& points) {
  std::vector<std::string> values;
  for (const PointConfig* point : points)
    if (const std::string text = toml_text(axis, *point);
        !text.empty() && std::find(values.begin(), values.end(), text) == values.end())
      values.push_back(text);
  return values;
}

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
std::vector<std::string> excluded_pairs(const Axis& a, const Axis& b, const Points& points) {
  std::map<std::string, std::set<std::string>> pairs;
  std::set<std::string> all;
  for (const PointConfig* point : points) {
    const std::string here = toml_text(a, *point);
    const std::string there = toml_text(b, *point);
    if (here.empty() || there.empty()) continue;
    pairs[here].insert(there);
    all.insert(there);
  }
  std::vector<std::string> conditions;
  for (const std::string& value : values_on(a, points)) {
    if (!pairs.contains(value)) continue;
    std::vector<std::string> missing;
    for (const std::string& other : values_on(b, points))
      if (all.contains(other) && !pairs[value].contains(other)) missing.push_back(other);
    if (!missing.empty())
      conditions.push_back("{ " + std::string(a.name) + " = " + value + ", " + std::string(b.name) + " = " +
                           bracketed(missing) + " }");
  }
  return conditions;
}

}  // namespace

std::string sweep_config(const Study& study) {
  std::string toml = "title = " + quoted(study.title) + "\nquestion = " + quoted(study.question) + "\n\n";
  if (!study.published.empty())
    toml += "# published = " + quoted(study.published.file) + ": shown beside the points; give its path\n";
  const Points points = study.configs();
  if (std::any_of(points.begin(), points.end(), [](const PointConfig* point) { return point->given_terms; }))
    toml += "# xxh3:... is the hash of what a file held; give its path\n";
  const std::vector<const Axis*> axes = axes_of(points);
  for (const Axis* axis : axes)
    if (const std::vector<std::string> values = values_on(*axis, points); !values.empty() && !is_default(*axis, values))
      toml += std::string(axis->name) + " = " + bracketed(values) + "\n";
  if (points.size() < study.planned) return toml;  // missing points may only be unfinished
  std::vector<std::string> excluded;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t k = i + 1; k < axes.size(); ++k)
      for (std::string& pair : excluded_pairs(*axes[i], *axes[k], points)) excluded.push_back(std::move(pair));
  for (std::size_t i = 0; i < excluded.size(); ++i)
    toml += (i == 0 ? "exclude = [\n  " : "  ") + excluded[i] + (i + 1 < excluded.size() ? ",\n" : "\n]\n");
  return toml;
}

}  // namespace orderlab
