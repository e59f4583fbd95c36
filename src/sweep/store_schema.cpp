#include "sweep/store_schema.hpp"

#include <algorithm>
#include <iterator>

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

/// A column of points that are operations: its column in `point`, and the path there.
struct OperationColumn {
  std::string_view name;
  std::string_view table_column;
  std::string_view path;
};

// Fields of described::kOperation, and of described::kOperationMeasures.
constexpr OperationColumn kOperationColumns[] = {
    {"kernel", "terms", "launch.kernel"},
    {"outputs", "terms", "outputs"},
    {"contributions", "terms", "contributions"},
    {"units", "terms", "units"},
    {"can_vary", "metrics", "can_vary"},
    {"compared_with", "metrics", "baseline"},
    {"vc_mean", "metrics", "vc.mean"},
    {"vc_sd", "metrics", "vc.sd"},
    {"vc_min", "metrics", "vc.min"},
    {"vc_median", "metrics", "vc.median"},
    {"vc_max", "metrics", "vc.max"},
    {"vc_exact_expectation", "metrics", "vc.exact_expectation"},
    {"vc_of_order_mean", "metrics", "vc_of_order.mean"},
    {"vc_of_order_sd", "metrics", "vc_of_order.sd"},
    {"method_offset_vc", "metrics", "method_offset.vc"},
    {"vermv_paper_mean", "metrics", "vermv.paper.mean"},
    {"vermv_code_mean", "metrics", "vermv.code.mean"},
    {"vermv_robust_mean", "metrics", "vermv.robust.mean"},
    {"max_ulp", "metrics", "max_ulp.max"},
    {"max_error_ulp", "metrics", "max_error_ulp.max"},
};

bool is_of_operations(const Axis& axis) { return axis.use == AxisUse::operations || &axis == &axes::kOp; }

}  // namespace

bool is_of_sums(std::string_view column) {
  const auto named = [&](const OperationColumn& one) { return one.name == column; };
  const auto is_axis = [&](const Axis* axis) { return is_of_operations(*axis) && axis->column == column; };
  return std::none_of(std::begin(kOperationColumns), std::end(kOperationColumns), named) &&
         std::none_of(axis_list().begin(), axis_list().end(), is_axis);
}

std::string results_view(const HasColumn& has) {
  const auto wanted = [&](std::string_view column) { return !column.empty() && (!has || has(column)); };
  std::string view = kViewStart;
  for (const Axis* axis : axes_in_view())
    if (wanted(axis->column)) view += "  " + view_column(*axis) + " AS " + std::string(axis->column) + ",\n";
  view += kViewFacts;
  for (const Metric* metric : metrics())
    for (const MetricColumn& column : metric->columns)
      if (wanted(column.name))
        view += "  json_extract(point.metrics, '$." + std::string(column.path) + "') AS " + std::string(column.name) +
                ",\n";
  for (const OperationColumn& column : kOperationColumns)
    if (wanted(column.name))
      view += "  json_extract(point." + std::string(column.table_column) + ", '$." + std::string(column.path) +
              "') AS " + std::string(column.name) + ",\n";
  return view + kViewEnd;
}

std::string store_schema(const HasColumn& has) { return kStoreTables + results_view(has); }

}  // namespace orderlab
