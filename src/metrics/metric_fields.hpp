// What metrics find, field by field: JSON both ways, schemas and columns come from these tables.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "describe/field.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

extern const TableOf<Summary> kSummary;

/// All metrics, of samples and of all orders; and the same in two parts, since documents list the results behind
/// "distinct".
extern const TableOf<Metrics> kSampledMetrics, kSampledMetricsThroughDistinct, kSampledMetricsAfterDistinct;
extern const TableOf<Metrics> kEnumeratedMetrics, kEnumeratedMetricsThroughDistinct, kEnumeratedMetricsAfterDistinct;

/// The table that these metrics are written by.
const TableOf<Metrics>& metrics_table(const Metrics& metrics);

namespace detail {

/// What the metric with values of this type found; null where there is nothing.
template <class T>
const T* found(const Metrics& metrics) {
  for (const Metrics::Entry& entry : metrics.entries())
    if (entry.is<T>()) return static_cast<const T*>(entry.value.get());
  return nullptr;
}

/// Makes it.
template <class T>
T& made(Metrics& metrics) {
  const auto value = std::make_shared<T>();
  for (const Metric* metric : orderlab::metrics())
    if (metric->functions.type == &orderlab::detail::kType<T>) metrics.add(*metric, value);
  return *value;
}

}  // namespace detail

/// A metric whose values have a table, under its name.
template <class T>
consteval Field metric(std::string_view name, const TableOf<T>& table, More more = {}) {
  const Said said{more, name, {}, nullptr, &table};
  detail::check<T>(said);
  Field field{said};
  field.type = &detail::kType<Metrics>;
  field.each = [](const void* object, const Use& use) {
    if (const T* found = detail::found<T>(*static_cast<const Metrics*>(object))) use(found);
  };
  field.open = [](void* object, std::size_t) -> void* { return &detail::made<T>(*static_cast<Metrics*>(object)); };
  return field;
}

/// A metric that is one value.
template <auto member>
consteval Field metric(std::string_view name, const Kind& kind, std::string_view help, More more = {}) {
  using Access = detail::Member<member>;
  using T = typename Access::Class;
  const Said said{more, name, help, &kind, nullptr};
  detail::check<detail::TypeOf<Access>>(said);
  Field field{said};
  field.type = &detail::kType<Metrics>;
  field.get = [](const void* object) -> std::optional<Value> {
    const T* found = detail::found<T>(*static_cast<const Metrics*>(object));
    return found != nullptr ? detail::shown(Access::in(static_cast<const void*>(found))) : Value();
  };
  field.set = [](void* object, const Value& value) {
    T& made = detail::made<T>(*static_cast<Metrics*>(object));
    return detail::take(value, Access::in(static_cast<void*>(&made)));
  };
  return field;
}

}  // namespace orderlab::described
