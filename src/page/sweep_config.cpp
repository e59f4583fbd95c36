#include "page/sweep_config.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "experiment/all_orders.hpp"
#include "experiment/config_file.hpp"
#include "experiment/json.hpp"

namespace orderlab {

namespace {

// A JSON string of these is a basic string of TOML too.
std::string quoted(const std::string& text) { return Json(text).dump(); }

/// One axis: what a point has on it, and what to leave out, being the default.
struct ConfigKey {
  const char* name;
  std::function<std::string(const StudyPoint&)> text;
  std::string default_text;
};

std::string default_of(std::string_view axis) { return std::string(axis_keys()[axis_position(axis)].default_text); }

std::vector<ConfigKey> config_keys(bool own_input_seeds) {
  const auto count = [](std::uint64_t StudyPoint::*member) {
    return [member](const StudyPoint& p) { return std::to_string(p.*member); };
  };
  std::vector<ConfigKey> keys{
      {"n", count(&StudyPoint::n), ""},
      {"dist", [](const StudyPoint& p) { return quoted(p.terms); }, ""},
      {"format", [](const StudyPoint& p) { return quoted(to_string(p.formats)); }, ""},
      {"order", [](const StudyPoint& p) { return quoted(p.order); }, ""},
      {"arrival", [](const StudyPoint& p) { return p.arrival.empty() ? std::string() : quoted(p.arrival); }, ""},
      {"baseline", [](const StudyPoint& p) { return p.baseline.empty() ? std::string() : quoted(p.baseline); }, ""},
      {"input", count(&StudyPoint::input), default_of("input")},
      {"samples",
       [](const StudyPoint& p) { return p.all_orders ? quoted(std::string(kAllOrders)) : std::to_string(p.asked); },
       ""},
      {"max_distinct",
       [](const StudyPoint& p) { return p.all_orders ? std::string() : std::to_string(p.max_distinct); },
       default_of("max_distinct")},
      {"seed", count(&StudyPoint::seed), default_of("seed")}};
  if (own_input_seeds) keys.push_back({"input_seed", count(&StudyPoint::input_seed), ""});
  return keys;
}

/// The values on an axis, in the order in which points have them first.
std::vector<std::string> values_on(const ConfigKey& key, const Study& study) {
  std::vector<std::string> values;
  for (const StudyPoint& point : study.points)
    if (const std::string text = key.text(point);
        !text.empty() && std::find(values.begin(), values.end(), text) == values.end())
      values.push_back(text);
  return values;
}

std::string bracketed(const std::vector<std::string>& values) {
  if (values.size() == 1) return values[0];
  std::string line;
  for (const std::string& value : values) line += (line.empty() ? "" : ", ") + value;
  return "[" + line + "]";
}

// Conditions for the pairs of two axes that no point has: { order = "ao", arrival = "jitter(3)" }. A point without a
// value on either axis, as a fixed order has no arrival, belongs to no pair.
std::vector<std::string> excluded_pairs(const ConfigKey& a, const ConfigKey& b, const Study& study) {
  std::map<std::string, std::set<std::string>> pairs;
  std::set<std::string> all;
  for (const StudyPoint& point : study.points) {
    if (a.text(point).empty() || b.text(point).empty()) continue;
    pairs[a.text(point)].insert(b.text(point));
    all.insert(b.text(point));
  }
  std::vector<std::string> conditions;
  for (const std::string& value : values_on(a, study)) {
    if (!pairs.contains(value)) continue;
    std::vector<std::string> missing;
    for (const std::string& other : values_on(b, study))
      if (all.contains(other) && !pairs[value].contains(other)) missing.push_back(other);
    if (!missing.empty())
      conditions.push_back("{ " + std::string(a.name) + " = " + value + ", " + b.name + " = " + bracketed(missing) +
                           " }");
  }
  return conditions;
}

}  // namespace

std::string sweep_config(const Study& study) {
  std::string toml = "title = " + quoted(study.title) + "\nquestion = " + quoted(study.question) + "\n\n";
  const bool own_input_seeds =
      std::any_of(study.points.begin(), study.points.end(), [](const StudyPoint& p) { return p.input_seed != p.seed; });
  for (const ConfigKey& key : config_keys(own_input_seeds)) {
    const std::vector<std::string> values = values_on(key, study);
    if (values.empty() || (values.size() == 1 && values[0] == key.default_text)) continue;
    toml += std::string(key.name) + " = " + bracketed(values) + "\n";
  }
  if (study.points.size() < study.planned) return toml;  // missing points may only be unfinished
  std::vector<std::string> excluded;
  const std::vector<ConfigKey> keys = config_keys(own_input_seeds);
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t k = i + 1; k < keys.size(); ++k)
      for (std::string& pair : excluded_pairs(keys[i], keys[k], study)) excluded.push_back(std::move(pair));
  for (std::size_t i = 0; i < excluded.size(); ++i)
    toml += (i == 0 ? "exclude = [\n  " : "  ") + excluded[i] + (i + 1 < excluded.size() ? ",\n" : "\n]\n");
  return toml;
}

}  // namespace orderlab
