#include <cmath>

#include "orderlab/counts.hpp"
#include "show/enumerate.hpp"
#include "show/input_json.hpp"
#include "show/result_table.hpp"

namespace orderlab {

namespace {

Json enumeration_config_json(const study::EnumerateFinding& finding) {
  Json config = input_config_json(finding.input, {finding.order.asked});
  config["max_distinct"] = finding.max_distinct;
  config["baseline"] = text_or_null(finding.baseline);
  return config;
}

Json enumeration_histogram_json(const study::EnumerateFinding& finding) {
  const auto [indices, exponent] =
      bins_of(finding.order.enumeration.results,
              CountingFrame::make(finding.input.exact, finding.input.formats.result, finding.max_distinct));
  Json bins = Json::array();
  for (std::size_t i = 0; i < indices.size(); ++i)
    bins.push_back({json_number(indices.values[i].value), indices.orders[i].str()});
  return {{"bin_ulp", json_number(std::ldexp(1.0, exponent))}, {"bins", bins}};
}

}  // namespace

std::string to_json(const study::EnumerateFinding& finding) {
  Json json = json_head("enumerate");
  json["config"] = enumeration_config_json(finding);
  json["input"] = input_json(finding.input);
  json["order"] = enumerated_order_json(finding.order);
  add_warnings(json, finding.order.warnings);
  json["family"] = name_of(finding.order.enumeration.family);
  json["partial_sums"] = finding.order.enumeration.m;
  json["orders"] = finding.order.enumeration.orders.str();
  for (const Metrics::Entry& entry : finding.order.metrics.entries()) {
    const bool unknown = finding.binned() && (entry.is<DistinctResults>() || entry.is<UnseenMass>());
    json[entry.metric->name] = unknown ? Json(nullptr) : json_of(entry);
    if (!entry.is<DistinctResults>()) continue;
    if (finding.binned())
      json["histogram"] = enumeration_histogram_json(finding);
    else
      json["results"] =
          result_table_json(enumerated_result_columns(), finding.order.enumeration.results, finding.input);
  }
  return json_document(json);
}

}  // namespace orderlab
