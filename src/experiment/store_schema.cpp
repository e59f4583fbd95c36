#include "experiment/store_schema.hpp"

#include "experiment/point_config.hpp"

namespace orderlab {

namespace {

// The JSON leaves out some axes where they have their default.
std::string view_column(const Axis& axis) {
  const std::string there = "json_extract(point.config, '$." + std::string(axis.name) + "')";
  if (axis.exported.empty()) return there;
  const Json value = axis_json(axis, std::string(axis.default_text));
  return "coalesce(" + there + ", " + (value.is_text() ? "'" + value.text() + "'" : value.dump()) + ")";
}

}  // namespace

std::string results_view(std::span<const Axis* const> axes) {
  std::string view = kViewStart;
  for (const Axis* axis : axes)
    if (!axis->column.empty()) view += "  " + view_column(*axis) + " AS " + std::string(axis->column) + ",\n";
  return view + kViewEnd;
}

std::string store_schema(std::span<const Axis* const> axes) { return kStoreTables + results_view(axes); }

}  // namespace orderlab
