#include "page/operation_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/operation_cells.hpp"
#include "page/point_table.hpp"

namespace orderlab {

namespace {

// "40x20" has 800; 0 for what is no shape.
std::uint64_t elements_of(const std::string& shape) {
  std::uint64_t elements = 1;
  std::istringstream extents(shape);
  for (std::string extent; std::getline(extents, extent, 'x');) elements *= count_in(extent).value_or(0);
  return shape.empty() ? 0 : elements;
}

}  // namespace

std::string operation_table(const SweepContent& content) {
  if (content.operations.empty()) return {};
  std::vector<const Axis*> shown;
  for (const Axis* axis : axes_in_operation_json())
    if (axis == &axes::kOp || (axis != &axes::kSamples && operations_vary(content, *axis))) shown.push_back(axis);
  std::vector<std::string> columns;
  for (const Axis* axis : shown) columns.emplace_back(axis->chart_title.empty() ? axis->name : axis->chart_title);
  const std::string& kernel = content.operations.front().kernel;
  const auto any = [&](const auto& is) {
    return std::any_of(content.operations.begin(), content.operations.end(), is);
  };
  const bool kernels = any([&](const OperationPoint& point) { return point.kernel != kernel; });
  const bool expected = any([](const OperationPoint& point) { return point.measures.vc_expected.has_value(); });
  const bool outputs = any([](const OperationPoint& point) { return point.outputs != elements_of(point.shape); });
  const std::uint64_t samples = content.operations.front().measures.samples;
  const bool sampled = any([&](const OperationPoint& point) { return point.measures.samples != samples; });
  if (kernels) columns.emplace_back("kernel");
  if (outputs) columns.emplace_back("outputs");
  if (sampled) columns.emplace_back("samples");
  for (const char* title : {"can vary", "Vc", "sd of Vc"}) columns.emplace_back(title);
  if (expected) columns.emplace_back("exact mean");
  for (const char* title : {"method offset", "Vermv / sum|x|", "largest error, ulp", "different outputs"})
    columns.emplace_back(title);
  std::vector<std::vector<std::string>> rows;
  for (const OperationPoint& point : content.operations) {
    if (rows.size() == kTableRows) break;
    const study::OperationMeasures& m = point.measures;
    std::vector<std::string>& row = rows.emplace_back();
    for (const Axis* axis : shown) row.push_back(axis == &axes::kArrival ? point.arrival_model : text_on(*axis, point));
    const auto or_dash = [](const std::optional<double>& value) { return value ? in_words(*value, 3) : "–"; };
    if (kernels) row.push_back(point.kernel);
    if (outputs) row.push_back(count_in_words(point.outputs));
    if (sampled) row.push_back(count_in_words(m.samples));
    for (const std::string& cell : {percent_in_words(m.can_vary), in_words(m.vc.mean, 3), or_dash(m.vc.sd)})
      row.push_back(cell);
    if (expected) row.push_back(or_dash(m.vc_expected));
    for (const std::string& cell : {in_words(m.offset_vc, 3), in_words(m.vermv_robust.mean, 3),
                                    in_words(m.largest_error.max, 3), count_in_words(m.distinct)})
      row.push_back(cell);
  }
  std::string html = html_table(columns, rows);
  html += "<p>Vc: mean share of the outputs that differ from the baseline. Method offset: Vc of launch order.";
  if (!sampled)
    html += fmt::format(" {} of each point.", samples == 1 ? "1 sample" : count_in_words(samples) + " samples");
  if (!kernels && !kernel.empty()) html += " The kernel is " + html_text(kernel) + ".";
  if (content.operations.size() > kTableRows)
    html += fmt::format(" These are the first {} of {} points; <code>orderlab export</code> writes all.", kTableRows,
                        content.operations.size());
  return html + "</p>\n";
}

}  // namespace orderlab
