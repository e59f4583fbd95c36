#include "report/experiment_json.hpp"

#include <cmath>

#include "orderlab/metrics.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

using Json = nlohmann::ordered_json;

Json from_record(const Record& record);

Json from_field(const Field& field) {
  if (const auto* number = std::get_if<double>(&field)) return json_number(*number);
  if (const auto* count = std::get_if<std::uint64_t>(&field)) return *count;
  if (const auto* text = std::get_if<std::string>(&field)) return *text;
  if (const Record* record = as_record(field)) return from_record(*record);
  return nullptr;
}

Json from_record(const Record& record) {
  Json json = Json::object();
  for (const auto& [name, value] : record.fields()) json[name] = from_field(value);
  return json;
}

Json config_json(const ExperimentReport& report) {
  const InputReport& input = report.input;
  Json config;
  config["n"] = input.n;
  if (input.distribution.empty()) {
    config["input"] = input.hash;
  } else {
    config["dist"] = input.distribution;
    config["input_seed"] = input.input_seed;
  }
  config["format"] = to_string(input.formats);
  Json orders = Json::array();
  Json arrivals = Json::array();
  for (const AskedOrder& order : report.asked) {
    orders.push_back(order.expression);
    arrivals.push_back(order.arrival.empty() ? Json(nullptr) : Json(order.arrival));
  }
  config["order"] = orders.size() == 1 ? orders[0] : orders;
  config["arrival"] = arrivals.size() == 1 ? arrivals[0] : arrivals;
  if (report.command != "sum") {
    config["seed"] = report.seed;
    config["samples"] = report.samples;
    config["max_distinct"] = report.max_distinct;
  }
  config["baseline"] = report.baseline.empty() ? Json(nullptr) : Json(report.baseline);
  return config;
}

Json input_json(const InputReport& input) {
  const std::uint64_t bits = input.exact.round_to(input.formats.result);
  Json json;
  json["n"] = input.n;
  json["format"] = info(input.formats.terms).name;
  json["products"] = input.products;
  json["inexact_conversions"] = input.inexact_conversions;
  json["hash"] = input.hash;
  json["exact"] = {{"bits", bits_text(input.formats.result, bits)},
                   {"value", json_number(input.exact.to_double())},
                   {"decimal", input.exact.decimal(kDecimalDigits)}};
  json["sum_abs"] = json_number(input.sum_abs.to_double());
  json["condition"] = json_number(condition_number(input.exact, input.sum_abs));
  return json;
}

Json results_json(const OrderReport& order, const InputReport& input) {
  Json results = Json::array();
  const double unit = std::ldexp(1.0, order.counts.frame().ulp_exponent);
  for (const ResultCounts::Result& r : order.counts.results()) {
    const bool finite = std::isfinite(r.value) && input.exact.finite();
    results.push_back({{"bits", bits_text(order.counts.frame().format, r.bits)},
                       {"value", json_number(r.value)},
                       {"count", r.count},
                       {"error_ulp", finite ? json_number(input.exact.difference(r.value) / unit) : Json(nullptr)}});
  }
  return results;
}

Json histogram_json(const ResultCounts& counts) {
  Json bins = Json::array();
  for (const ResultCounts::Bin& bin : counts.bins()) bins.push_back({json_number(bin.index), bin.count});
  return {{"bin_ulp", json_number(std::ldexp(1.0, counts.bin_exponent()))}, {"bins", bins}};
}

void add_order(Json& json, const OrderReport& order, const InputReport& input) {
  const auto heights = order.counts.heights();
  json["order"] = {
      {"name", order.name.empty() ? Json(nullptr) : Json(order.name)},
      {"expression", order.expression},
      {"guarantee", order.guarantee},
      {"height",
       {{"min", heights ? Json(heights->min) : Json(nullptr)}, {"max", heights ? Json(heights->max) : Json(nullptr)}}}};
  json["samples"] = order.counts.samples();
  for (const auto& [name, value] : order.metrics.fields()) {
    json[name] = from_field(value);
    if (name != "distinct") continue;
    if (order.counts.binned())
      json["histogram"] = histogram_json(order.counts);
    else
      json["results"] = results_json(order, input);
  }
}

}  // namespace

nlohmann::ordered_json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

nlohmann::ordered_json to_json(const ExperimentReport& report) {
  Json json;
  json["orderlab"] = ORDERLAB_VERSION;
  json["bits_version"] = kBitsVersion;
  json["command"] = report.command;
  json["config"] = config_json(report);
  if (report.range) json["range"] = {report.range->first, report.range->second};
  if (report.partial) json["partial"] = true;
  json["input"] = input_json(report.input);
  if (report.asked.size() == 1) {
    add_order(json, report.orders[0], report.input);
  } else {
    Json runs = Json::array();
    for (const OrderReport& order : report.orders) {
      Json run;
      add_order(run, order, report.input);
      runs.push_back(std::move(run));
    }
    json["runs"] = std::move(runs);
  }
  return json;
}

}  // namespace orderlab
