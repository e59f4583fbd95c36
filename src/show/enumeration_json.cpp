#include <cmath>

#include "orderlab/counts.hpp"
#include "show/enumeration.hpp"
#include "show/input_json.hpp"
#include "show/result_table.hpp"

namespace orderlab {

namespace {

Json enumeration_config_json(const study::EnumerateFinding& report) {
  Json config = input_config_json(report.input, {report.order.asked});
  config["max_distinct"] = report.max_distinct;
  config["baseline"] = text_or_null(report.baseline);
  return config;
}

Json enumeration_histogram_json(const study::EnumerateFinding& report) {
  const auto [indices, exponent] =
      bins_of(report.order.enumeration.results,
              CountingFrame::make(report.input.exact, report.input.formats.result, report.max_distinct));
  Json bins = Json::array();
  for (std::size_t i = 0; i < indices.size(); ++i)
    bins.push_back({json_number(indices.values[i].value), indices.orders[i].str()});
  return {{"bin_ulp", json_number(std::ldexp(1.0, exponent))}, {"bins", bins}};
}

}  // namespace

std::string to_json(const study::EnumerateFinding& report) {
  Json json = json_head("enumerate");
  json["config"] = enumeration_config_json(report);
  json["input"] = input_json(report.input);
  json["order"] = enumerated_order_json(report.order);
  add_warnings(json, report.order.warnings);
  json["family"] = name_of(report.order.enumeration.family);
  json["partial_sums"] = report.order.enumeration.m;
  json["orders"] = report.order.enumeration.orders.str();
  for (const Metrics::Entry& entry : report.order.metrics.entries()) {
    const bool unknown = report.binned() && (entry.is<DistinctResults>() || entry.is<UnseenMass>());
    json[entry.metric->name] = unknown ? Json(nullptr) : json_of(entry);
    if (!entry.is<DistinctResults>()) continue;
    if (report.binned())
      json["histogram"] = enumeration_histogram_json(report);
    else
      json["results"] = result_table_json(enumerated_result_columns(), report.order.enumeration.results, report.input);
  }
  return json_document(json);
}

}  // namespace orderlab
