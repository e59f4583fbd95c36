// An axis that is a field of PointConfig.
#pragma once

#include <string>
#include <type_traits>

#include "config/axis.hpp"
#include "config/point_config.hpp"

namespace orderlab::axes {

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

}  // namespace orderlab::axes
