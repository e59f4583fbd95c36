// The orders of `check --order any` as a table, in CSV and JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "show/check_any.hpp"
#include "show/columns.hpp"
#include "show/given_json.hpp"
#include "show/input_json.hpp"

namespace orderlab {

namespace {

using study::OrderCandidate;

std::span<const ColumnOf<OrderCandidate>> candidate_columns() {
  static constexpr ColumnOf<OrderCandidate> kColumns[] = {
      {"order", [](const OrderCandidate& c) -> Value { return c.text; }},
      {"expression", [](const OrderCandidate& c) -> Value { return c.expression; }},
      {"format", [](const OrderCandidate& c) -> Value { return to_string(c.formats); }},
      {"kind", [](const OrderCandidate& c) -> Value { return std::string(c.random ? "random" : "fixed"); }},
      {"verdict", [](const OrderCandidate& c) -> Value { return std::string(name_of(c.verdict)); }},
      {"explained", [](const OrderCandidate& c) -> Value { return c.explained; }},
      {"bits", [](const OrderCandidate& c) { return c.bits ? Value(bits_text(c.formats.result, *c.bits)) : Value(); }},
      {"value", [](const OrderCandidate& c) { return c.bits ? Value(c.value()) : Value(); }},
      {"distance_ulp", [](const OrderCandidate& c) { return cell_of(c.distance_ulp); }},
      {"orders", [](const OrderCandidate& c) { return c.orders.empty() ? Value() : Value(c.orders); }},
      {"samples", [](const OrderCandidate& c) { return cell_of(c.samples); }},
      {"distinct", [](const OrderCandidate& c) { return cell_of(c.distinct); }},
      {"p", [](const OrderCandidate& c) { return cell_of(c.p); }},
      {"also", [](const OrderCandidate& c) -> Value { return std::string(fmt::format("{}", fmt::join(c.also, "; "))); }},
  };
  return kColumns;
}

Json any_config_json(const study::CheckAnyFinding& report) {
  Json config = input_config_json(report.input, {{"any", ""}});
  config["seed"] = report.seed;
  config["confidence"] = report.confidence;
  config["samples"] = or_null(report.samples_asked);
  config["memory"] = report.memory_bytes;
  Json values = Json::array();
  for (const study::AnyValue& value : report.values)
    values.push_back(given_json(report.input.formats.result, value.given.bits, value.given.count, value.given.digits));
  config["values"] = std::move(values);
  if (report.means) config["means"] = info(*report.means).name;
  config["device"] = name_of(report.device);
  return config;
}

// For each value the orders that give it.
std::vector<Json> orders_of_values(const study::CheckAnyFinding& report) {
  std::vector<Json> orders(report.values.size(), Json::array());
  for (const OrderCandidate& c : report.candidates)
    for (const std::size_t i : c.gives) orders[i].push_back(c.text);
  return orders;
}

Json value_json(const study::CheckAnyFinding& report, const study::AnyValue& value, Json orders) {
  Json json;
  json["bits"] = bits_text(report.input.formats.result, value.given.bits);
  json["given"] = value.given.count;
  json["digits"] = value.given.digits == 0 ? Json() : Json(value.given.digits);
  json["numbers"] = value.given.read_widely(report.input.formats.result).size();
  json["verdict"] = name_of(value.verdict);
  json["fixed"] = value.fixed;
  json["wider"] = value.wider;
  json["random"] = value.random;
  json["tried"] = value.tried;
  json["by_chance"] = or_null(value.by_chance);
  json["chance"] = or_null(value.chance);
  json["orders"] = std::move(orders);
  return json;
}

}  // namespace

std::string to_csv(const study::CheckAnyFinding& report) { return csv_table(candidate_columns(), report.candidates); }

std::string to_json(const study::CheckAnyFinding& report) {
  Json json = json_head("check");
  json["config"] = any_config_json(report);
  if (report.partial) json["partial"] = true;
  json["input"] = input_json(report.input);
  json["rounded_values"] = report.rounded;
  json["fixed"] = {{"tried", report.fixed_tried}, {"sums", report.fixed_sums}};
  Json wider = Json::array();
  for (const Formats& formats : report.wider) wider.push_back(to_string(formats));
  json["wider"] = std::move(wider);
  Json left_out = Json::array();
  for (const std::string& name : report.not_sampled) left_out.push_back(name);
  json["not_sampled"] = std::move(left_out);
  json["exact"] = report.exact();
  json["one_result"] = report.one_result;
  Json values = Json::array();
  std::vector<Json> orders = orders_of_values(report);
  for (std::size_t i = 0; i < report.values.size(); ++i)
    values.push_back(value_json(report, report.values[i], std::move(orders[i])));
  json["values"] = std::move(values);
  Json candidates = Json::array();
  for (const OrderCandidate& candidate : report.candidates)
    candidates.push_back(json_row(candidate_columns(), candidate));
  json["candidates"] = std::move(candidates);
  json["explained_by_one"] = report.explained();
  json["verdict"] = name_of(report.verdict());
  return json_document(json);
}

}  // namespace orderlab
