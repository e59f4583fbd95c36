#include "config/point_config.hpp"

#include <charconv>

#include "core/text.hpp"

namespace orderlab {

namespace {

std::string stored_text(const Axis& axis, const PointConfig& point) {
  std::string text = axis.stored == nullptr ? text_on(axis, point) : axis.stored(point);
  if (!axis.exported.empty() && text == axis.default_text) text.clear();
  return text;
}

std::string text_in(const Axis& axis, const Json& config) {
  const Json& value = config[axis.name];
  if (value.is_count()) return std::to_string(value.count());
  if (value.is_number()) return shortest(value.number());
  if (value.is_text()) return value.text();
  return std::string(axis.exported.empty() ? "" : axis.default_text);
}

}  // namespace

bool applies(const Axis& axis, const PointConfig& point) {
  return axis.use == AxisUse::both || (axis.use == AxisUse::operations) != point.op.empty();
}

std::optional<std::uint64_t> count_in(std::string_view digits) {
  std::uint64_t count = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return count;
}

std::string text_on(const Axis& axis, const PointConfig& point) {
  if (!applies(axis, point)) return {};
  if (axis.get != nullptr) return axis.get(point);
  const auto found = point.recorded.find(std::string(axis.name));
  return found == point.recorded.end() ? std::string() : found->second;
}

void set_on(const Axis& axis, PointConfig& point, const std::string& text) {
  if (axis.set != nullptr)
    axis.set(point, text);
  else
    point.recorded[std::string(axis.name)] = text;
}

Json axis_json(const Axis& axis, const std::string& text) {
  if (text.empty()) return nullptr;
  if (axis.kind == AxisKind::count)
    if (const auto count = count_in(text)) return *count;
  if (axis.kind == AxisKind::real)
    if (const auto number = read_real(text)) return *number;
  return text;
}

Json config_json(std::span<const PointConfig> orders, std::span<const Axis* const> axes) {
  Json config;
  for (const Axis* axis : axes) {
    const auto value = [&](const PointConfig& order) { return axis_json(*axis, stored_text(*axis, order)); };
    Json values = value(orders[0]);
    if (axis->part == AxisPart::order && orders.size() > 1) {
      values = Json::array();
      for (const PointConfig& order : orders) values.push_back(value(order));
    }
    const bool replaced = axis->use == AxisUse::operations && orders[0].given_terms;
    if ((axis->null_where_absent && !replaced) || !values.is_null()) config[axis->name] = std::move(values);
  }
  return config;
}

Json config_json(const PointConfig& point) {
  return config_json({&point, 1}, point.op.empty() ? axes_in_json() : axes_in_operation_json());
}

PointConfig point_config(const Json& config) {
  PointConfig point;
  for (const Axis* axis : config.contains(axes::kOp.name) ? axes_in_operation_json() : axes_in_json()) {
    const std::string text = text_in(*axis, config);
    if (axis->restore != nullptr)
      axis->restore(point, text);
    else
      set_on(*axis, point, text);
  }
  if (point.all_orders) point.seed = point.input_seed;  // nothing is drawn, so the config has no seed of its own
  return point;
}

}  // namespace orderlab
