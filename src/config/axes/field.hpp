// An axis that is a field of PointConfig.
#pragma once

#include <string>
#include <type_traits>

#include "config/axis.hpp"
#include "config/point_config.hpp"
#include "describe/flag.hpp"

namespace orderlab::axes {

/// The axis of a flag, which says its name and bounds, and its default and help unless `axis` does.
template <const Flag& flag>
consteval Axis axis_of(Axis axis) {
  constexpr double kMostCount = 0x1p53;
  axis.name = flag.key;
  if (axis.default_text.empty()) axis.default_text = flag.fallback;
  if (axis.help.empty()) axis.help = flag.help;
  if (flag.kind == FlagKind::count) axis.kind = AxisKind::count;
  if (axis.kind == AxisKind::count && flag.low > 0) axis.low = static_cast<std::uint64_t>(flag.low);
  if (axis.kind == AxisKind::count && flag.high < kMostCount) axis.high = static_cast<std::uint64_t>(flag.high);
  return axis;
}

template <auto kField>
std::string field_text(const PointConfig& point) {
  if constexpr (std::is_same_v<decltype(kField), std::string PointConfig::*>)
    return point.*kField;
  else
    return std::to_string(point.*kField);
}

template <auto kField>
void set_field(PointConfig& point, const std::string& text) {
  if constexpr (std::is_same_v<decltype(kField), std::string PointConfig::*>)
    point.*kField = text;
  else
    point.*kField = count_in(text).value_or(0);
}

/// An axis that is an array of a file: its path, or its hash where that is all that is known.
template <auto kArray>
std::string array_text(const PointConfig& point) {
  const GivenArray& array = point.*kArray;
  return array.path.empty() ? array.hash : array.path;
}

template <auto kArray>
std::string array_hash(const PointConfig& point) {
  return (point.*kArray).hash;
}

template <auto kArray>
void set_array_path(PointConfig& point, const std::string& text) {
  (point.*kArray).path = text;
}

template <auto kArray>
void set_array_hash(PointConfig& point, const std::string& text) {
  (point.*kArray).hash = text;
}

}  // namespace orderlab::axes
