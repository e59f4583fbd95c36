// Configs that sweep over one axis, whichever it is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/axis.hpp"

namespace orderlab {

/// Whether only operations have it, or say by it which they are.
inline bool is_of_operations(const Axis& axis) { return axis.use == AxisUse::operations || &axis == &axes::kOp; }

/// All axes but those that are files.
inline std::vector<const Axis*> axes_without_files() {
  std::vector<const Axis*> found;
  for (const Axis* axis : axis_list())
    if (axis != &axes::kWith && axis != &axes::kIndex && axis != &axes::kSelf) found.push_back(axis);
  return found;
}

/// Two values that an axis may have, as a config writes them: the default where there is one, and another.
inline std::vector<std::string> values_of_axis(const Axis& axis) {
  static const std::map<std::string_view, std::vector<std::string>> kTexts{
      {"dist", {"uniform(0,10)", "normal(0,1)"}},
      {"format", {"fp64", "fp16:fp32"}},
      {"order", {"arrive | seq", "chunks(2) | arrive | seq"}},
      {"arrival", {"uniform", "jitter(3)"}},
      {"baseline", {"pairwise", "seq"}},
      {"op", {"index_add", "scatter_add"}},
      {"gpu", {"h100", "sms=4"}},
      {"shape", {"6x5", "7x5"}},
      {"ratio", {"0.25", "0.5"}},
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
  return axis.kind != AxisKind::text ? value : "'" + value + "'";
}

/// A config that sweeps over both values of one axis. Other axes have the first, or their default.
inline std::string sweep_over(const Axis& swept) {
  std::string text;
  for (const Axis* axis : axis_list()) {
    const std::vector<std::string> values = values_of_axis(*axis);
    const bool needed =
        is_of_operations(swept) ? axis == &axes::kOp || axis == &axes::kShape : axis->default_text.empty();
    if (axis == &swept)
      text += std::string(axis->name) + " = [" + toml_of(*axis, values[0]) + ", " + toml_of(*axis, values[1]) + "]\n";
    else if (needed)
      text += std::string(axis->name) + " = " + toml_of(*axis, values[0]) + "\n";
  }
  return text;
}

}  // namespace orderlab
