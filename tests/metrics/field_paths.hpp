// Values by the names that JSON has for them, found in the tables of fields.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/metrics.hpp"

namespace orderlab::testing {

using Path = std::span<const std::string_view>;

/// What a struct shows at a path of names: a value, maybe null; empty where there is no field, or one that is left out,
/// or a group.
inline std::optional<Value> value_at(const void* object, std::span<const Field> fields, Path path) {
  for (const Field& field : fields) {
    if (field.name.empty()) return path.empty() ? field.get(object) : std::nullopt;
    if (path.empty() || field.name != path[0]) continue;
    if (field.inside == nullptr) return path.size() == 1 ? field.get(object) : std::nullopt;
    const void* inside = field.inside(object);
    return inside == nullptr ? std::nullopt : value_at(inside, field.fields, path.subspan(1));
  }
  return std::nullopt;
}

/// The same of metrics, whose names come first. Null for a metric that has nothing to say.
inline std::optional<Value> value_at(const Metrics& metrics, std::initializer_list<std::string_view> names) {
  const Path path(names.begin(), names.size());
  for (const Metrics::Entry& entry : metrics.entries()) {
    if (entry.metric->name != path[0]) continue;
    if (entry.value == nullptr) return path.size() == 1 ? std::optional(Value()) : std::nullopt;
    return value_at(entry.value.get(), entry.metric->fields, path.subspan(1));
  }
  return std::nullopt;
}

/// The number or the count there; empty where there is neither.
inline std::optional<double> number_at(const Metrics& metrics, std::initializer_list<std::string_view> names) {
  const std::optional<Value> value = value_at(metrics, names);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<double>(&*value)) return *number;
  if (const auto* count = std::get_if<std::uint64_t>(&*value)) return static_cast<double>(*count);
  return std::nullopt;
}

/// Calls use(path, fields) for each table of fields, `fields` first: those of groups after those around them.
template <class Use>
void for_each_table(std::span<const Field> fields, Use use, const std::string& path = "") {
  use(path, fields);
  for (const Field& field : fields)
    if (field.inside != nullptr) for_each_table(field.fields, use, path + "/" + std::string(field.name));
}

/// Calls use(path, value) for each value that the struct shows, in the order of its fields.
template <class Use>
void for_each_value(const void* object, std::span<const Field> fields, Use use, const std::string& path = "") {
  for (const Field& field : fields) {
    const std::string here = field.name.empty() ? path : path + "/" + std::string(field.name);
    if (field.inside != nullptr) {
      if (const void* inside = field.inside(object)) for_each_value(inside, field.fields, use, here);
    } else if (const std::optional<Value> value = field.get(object)) {
      use(here, *value);
    }
  }
}

}  // namespace orderlab::testing
