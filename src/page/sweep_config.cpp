#include "page/sweep_config.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace orderlab {

namespace {

// A JSON string of these is a basic string of TOML too.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

/// One axis: what a point has on it, and what to leave out, being the default.
struct ConfigKey {
  const char* name;
  std::function<std::string(const StudyPoint&)> text;
  std::string default_text;
};

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
      {"input", count(&StudyPoint::input), "0"},
      {"samples", count(&StudyPoint::asked), ""},
      {"max_distinct", count(&StudyPoint::max_distinct), "1048576"},
      {"seed", count(&StudyPoint::seed), "1"}};
  if (own_input_seeds) keys.push_back({"input_seed", count(&StudyPoint::input_seed), ""});
  return keys;
}

}  // namespace

std::string sweep_config(const Study& study) {
  std::string toml = "title = " + quoted(study.title) + "\nquestion = " + quoted(study.question) + "\n\n";
  const bool own_input_seeds =
      std::any_of(study.points.begin(), study.points.end(), [](const StudyPoint& p) { return p.input_seed != p.seed; });
  for (const ConfigKey& key : config_keys(own_input_seeds)) {
    std::vector<std::string> values;
    for (const StudyPoint& point : study.points)
      if (const std::string text = key.text(point);
          !text.empty() && std::find(values.begin(), values.end(), text) == values.end())
        values.push_back(text);
    if (values.empty() || (values.size() == 1 && values[0] == key.default_text)) continue;
    std::string line;
    for (const std::string& value : values) line += (line.empty() ? "" : ", ") + value;
    toml += std::string(key.name) + " = " + (values.size() == 1 ? line : "[" + line + "]") + "\n";
  }
  return toml;
}

}  // namespace orderlab
