#include "sweep/store_schema.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "config/point_config.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

// The JSON leaves out some axes where they have their default.
std::string view_column(const Axis& axis) {
  const std::string there = "json_extract(point.config, '$." + std::string(axis.name) + "')";
  if (axis.exported.empty()) return there;
  const Json value = axis_json(axis, std::string(axis.default_text));
  return "coalesce(" + there + ", " + (value.is_text() ? "'" + value.text() + "'" : value.dump()) + ")";
}

// "$.error.ulp.mean"
std::string json_path(const Metric& metric, const MetricColumn& column) {
  std::string path = "$." + std::string(metric.name);
  std::span<const Field> fields = metric.fields;
  for (const void* member : column.path) {
    if (member == nullptr) break;
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.member == member; });
    if (field == fields.end())
      throw std::logic_error("column " + std::string(column.name) + ": not a field of the metric");
    if (!field->name.empty()) path += "." + std::string(field->name);
    fields = field->fields;
  }
  return path;
}

}  // namespace

std::string results_view(const HasColumn& has) {
  const auto wanted = [&](std::string_view column) { return !column.empty() && (!has || has(column)); };
  std::string view = kViewStart;
  for (const Axis* axis : axes_in_view())
    if (wanted(axis->column)) view += "  " + view_column(*axis) + " AS " + std::string(axis->column) + ",\n";
  view += kViewFacts;
  for (const Metric* metric : metrics())
    for (const MetricColumn& column : metric->columns)
      if (wanted(column.name))
        view += "  json_extract(point.metrics, '" + json_path(*metric, column) + "') AS " + std::string(column.name) +
                ",\n";
  return view + kViewEnd;
}

std::string store_schema(const HasColumn& has) { return kStoreTables + results_view(has); }

}  // namespace orderlab
