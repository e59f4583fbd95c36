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
      {"also",
       [](const OrderCandidate& c) -> Value { return std::string(fmt::format("{}", fmt::join(c.also, "; "))); }},
  };
  return kColumns;
}

Json any_config_json(const study::CheckAnyFinding& finding) {
  Json config = input_config_json(finding.input, {{"any", ""}});
  config["seed"] = finding.seed;
  config["confidence"] = finding.confidence;
  config["samples"] = or_null(finding.samples_asked);
  config["memory"] = finding.memory_bytes;
  Json values = Json::array();
  for (const study::AnyValue& value : finding.values)
    values.push_back(given_json(finding.input.formats.result, value.given.bits, value.given.count, value.given.digits));
  config["values"] = std::move(values);
  if (finding.means) config["means"] = info(*finding.means).name;
  config["device"] = name_of(finding.device);
  return config;
}

// For each value the orders that give it.
std::vector<Json> orders_of_values(const study::CheckAnyFinding& finding) {
  std::vector<Json> orders(finding.values.size(), Json::array());
  for (const OrderCandidate& c : finding.candidates)
    for (const std::size_t i : c.gives) orders[i].push_back(c.text);
  return orders;
}

Json value_json(const study::CheckAnyFinding& finding, const study::AnyValue& value, Json orders) {
  Json json;
  json["bits"] = bits_text(finding.input.formats.result, value.given.bits);
  json["given"] = value.given.count;
  json["digits"] = value.given.digits == 0 ? Json() : Json(value.given.digits);
  json["numbers"] = value.given.read_widely(finding.input.formats.result).size();
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

std::string to_csv(const study::CheckAnyFinding& finding) { return csv_table(candidate_columns(), finding.candidates); }

std::string to_json(const study::CheckAnyFinding& finding) {
  Json json = json_head("check");
  json["config"] = any_config_json(finding);
  if (finding.partial) json["partial"] = true;
  json["input"] = input_json(finding.input);
  json["rounded_values"] = finding.rounded;
  json["fixed"] = {{"tried", finding.fixed_tried}, {"sums", finding.fixed_sums}};
  Json wider = Json::array();
  for (const Formats& formats : finding.wider) wider.push_back(to_string(formats));
  json["wider"] = std::move(wider);
  Json left_out = Json::array();
  for (const std::string& name : finding.not_sampled) left_out.push_back(name);
  json["not_sampled"] = std::move(left_out);
  json["exact"] = finding.exact();
  json["one_result"] = finding.one_result;
  Json values = Json::array();
  std::vector<Json> orders = orders_of_values(finding);
  for (std::size_t i = 0; i < finding.values.size(); ++i)
    values.push_back(value_json(finding, finding.values[i], std::move(orders[i])));
  json["values"] = std::move(values);
  Json candidates = Json::array();
  for (const OrderCandidate& candidate : finding.candidates)
    candidates.push_back(json_row(candidate_columns(), candidate));
  json["candidates"] = std::move(candidates);
  json["explained_by_one"] = finding.explained();
  json["verdict"] = name_of(finding.verdict());
  return json_document(json);
}

}  // namespace orderlab
