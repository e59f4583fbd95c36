#include "experiment/input_json.hpp"

#include <cmath>

#include "experiment/point_config.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json or_null(const std::optional<double>& value) { return value ? json_number(*value) : Json(nullptr); }

Json or_null(const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

namespace {

Json from_record(const Record& record) {
  Json json = Json::object();
  for (const auto& [name, value] : record.fields()) json[name] = json_of(value);
  return json;
}

}  // namespace

Json json_of(const Field& field) {
  if (const auto* number = std::get_if<double>(&field)) return json_number(*number);
  if (const auto* count = std::get_if<std::uint64_t>(&field)) return *count;
  if (const auto* text = std::get_if<std::string>(&field)) return *text;
  if (const Record* record = as_record(field)) return from_record(*record);
  return nullptr;
}

std::string json_document(const Json& json) { return json.dump(2) + "\n"; }

Json json_head(const std::string& command) {
  Json json;
  json["orderlab"] = ORDERLAB_VERSION;
  json["bits_version"] = kBitsVersion;
  json["command"] = command;
  return json;
}

namespace {

PointConfig config_of(const InputReport& input, const AskedOrder& asked) {
  PointConfig config;
  config.given_terms = input.distribution.empty();
  config.terms = config.given_terms ? input.hash : input.distribution;
  config.n = input.n;
  config.formats = input.formats;
  config.input_seed = input.input_seed;
  config.input = input.input_number;
  config.expression = asked.expression;
  config.arrival_model = asked.arrival;
  return config;
}

}  // namespace

Json input_config_json(const InputReport& input, const std::vector<AskedOrder>& asked) {
  std::vector<PointConfig> orders;
  for (const AskedOrder& order : asked) orders.push_back(config_of(input, order));
  std::vector<const Axis*> axes;
  for (const Axis* axis : axes_in_json())
    if (axis->part != AxisPart::sampling) axes.push_back(axis);
  return config_json(orders, axes);
}

Json sampling_config_json(const InputReport& input, const std::vector<AskedOrder>& asked,
                          const SamplingConfig& sampling) {
  std::vector<PointConfig> orders;
  for (const AskedOrder& order : asked) {
    PointConfig& config = orders.emplace_back(config_of(input, order));
    config.seed = sampling.seed;
    config.asked = sampling.samples;
    config.max_distinct = sampling.max_distinct;
    config.baseline = sampling.baseline;
  }
  return config_json(orders, axes_in_json());
}

Json order_json(const std::string& name, const std::string& expression, const Json& more) {
  Json json{{"name", text_or_null(name)}, {"expression", expression}};
  json.update(more);
  return json;
}

Json sampled_order_json(const OrderReport& order) {
  const auto heights = order.counts.heights();
  const Json least = heights ? Json(heights->min) : Json(nullptr);
  const Json most = heights ? Json(heights->max) : Json(nullptr);
  return order_json(order.name, order.expression,
                    {{"guarantee", order.guarantee}, {"height", {{"min", least}, {"max", most}}}});
}

Json enumerated_order_json(const EnumeratedOrder& order) {
  const Json height = or_null(order.height);
  return order_json(order.name, order.asked.expression,
                    {{"guarantee", order.guarantee}, {"height", {{"min", height}, {"max", height}}}});
}

void add_warnings(Json& json, const std::vector<std::string>& warnings) {
  if (!warnings.empty()) json["warnings"] = warnings;
}

Json input_json(const InputReport& input) {
  const std::uint64_t bits = input.exact.round_to(input.formats.result);
  Json json;
  json["n"] = input.n;
  json["format"] = info(input.formats.terms).name;
  json["products"] = input.products;
  json["inexact_conversions"] = input.inexact_conversions;
  json["overflowed_terms"] = input.overflowed_terms;
  json["hash"] = input.hash;
  json["exact"] = {{"bits", bits_text(input.formats.result, bits)},
                   {"value", json_number(input.exact.to_double())},
                   {"decimal", input.exact.decimal(kDecimalDigits)}};
  json["sum_abs"] = json_number(input.sum_abs.to_double());
  json["condition"] = json_number(condition_number(input.exact, input.sum_abs));
  return json;
}

}  // namespace orderlab
