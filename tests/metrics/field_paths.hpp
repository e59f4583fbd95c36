// Values by the names that JSON has for them, found in the tables of fields.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "metrics/metric_fields.hpp"
#include "orderlab/metrics.hpp"
#include "show/fields_json.hpp"

namespace orderlab::testing {

/// Calls use(path, value) for each value that the struct shows, in the order of its fields.
template <class Use>
void for_each_value(const described::Table& table, const void* object, Use use, const std::string& path = "") {
  for (const described::Field& field : table.fields) {
    const std::string here = field.name.empty() ? path : path + "/" + std::string(field.name);
    if (field.is_value()) {
      const std::optional<Value> value = field.get(object);
      if (value && (!std::holds_alternative<std::monostate>(*value) || !field.null.empty())) use(here, *value);
    } else {
      each_inside(field, object, [&](const void* inside) { for_each_value(field.inside(), inside, use, here); });
    }
  }
}

template <class Use>
void for_each_value(const Metrics& metrics, Use use) {
  for_each_value(described::metrics_table(metrics), &metrics, use);
}

inline std::string path_of(std::initializer_list<std::string_view> names) {
  std::string path;
  for (const std::string_view name : names) path.append("/").append(name);
  return path;
}

/// What metrics show at a path of names: a value, maybe null, and null for one that has nothing to say; empty where
/// there is no field, or one that is left out, or a group.
inline std::optional<Value> value_at(const Metrics& metrics, std::initializer_list<std::string_view> names) {
  std::optional<Value> found;
  for_each_value(metrics, [&](const std::string& path, const Value& value) {
    if (path == path_of(names)) found = value;
  });
  for (const Metrics::Entry& entry : metrics.entries())
    if (entry.value == nullptr && names.size() == 1 && entry.metric->name == *names.begin()) found = Value();
  return found;
}

/// The number or the count there; empty where there is neither.
inline std::optional<double> number_at(const Metrics& metrics, std::initializer_list<std::string_view> names) {
  const std::optional<Value> value = value_at(metrics, names);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<double>(&*value)) return *number;
  if (const auto* count = std::get_if<std::uint64_t>(&*value)) return static_cast<double>(*count);
  return std::nullopt;
}

/// Calls use(path, table) for each table of fields, `table` first: those of parts after those around them.
template <class Use>
void for_each_table(const described::Table& table, Use use, const std::string& path = "") {
  use(path, table);
  for (const described::Field& field : table.fields)
    if (!field.is_value())
      for_each_table(field.inside(), use, field.merged ? path : path + "/" + std::string(field.name));
}

}  // namespace orderlab::testing
