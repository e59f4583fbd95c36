// Configs that sweep over one axis, whichever it is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/axis.hpp"

namespace orderlab {

/// Two values that an axis may have, as a config writes them: the default where there is one, and another.
inline std::vector<std::string> values_of_axis(const Axis& axis) {
  static const std::map<std::string_view, std::vector<std::string>> kTexts{
      {"dist", {"uniform(0,10)", "normal(0,1)"}},
      {"format", {"fp64", "fp16:fp32"}},
      {"order", {"arrive | seq", "chunks(2) | arrive | seq"}},
      {"arrival", {"uniform", "jitter(3)"}},
      {"baseline", {"pairwise", "seq"}},
  };
  const bool has_default = !axis.default_text.empty() && axis.default_text != kAbsent;
  const std::string least = std::to_string(axis.low + 3);
  const std::string first = has_default ? std::string(axis.default_text) : least;
  if (axis.kind == AxisKind::count) return {first, std::to_string(axis.low + 7)};
  const auto known = kTexts.find(axis.name);
  return known == kTexts.end() ? std::vector<std::string>{first, "other"} : known->second;
}

/// A value of an axis in TOML.
inline std::string toml_of(const Axis& axis, const std::string& value) {
  return axis.kind == AxisKind::count ? value : "'" + value + "'";
}

/// A config that sweeps over both values of one axis. Other axes have the first, or their default.
inline std::string sweep_over(const Axis& swept) {
  std::string text;
  for (const Axis* axis : axis_list()) {
    const std::vector<std::string> values = values_of_axis(*axis);
    if (axis == &swept)
      text += std::string(axis->name) + " = [" + toml_of(*axis, values[0]) + ", " + toml_of(*axis, values[1]) + "]\n";
    else if (axis->default_text.empty())
      text += std::string(axis->name) + " = " + toml_of(*axis, values[0]) + "\n";
  }
  return text;
}

}  // namespace orderlab
