#include "show/enumeration_json.hpp"

#include <cmath>

#include "show/input_json.hpp"
#include "metrics/error_units.hpp"
#include "orderlab/counts.hpp"

namespace orderlab {

namespace {

Json enumeration_config_json(const study::EnumerateFinding& report) {
  Json config = input_config_json(report.input, {report.order.asked});
  config["max_distinct"] = report.max_distinct;
  config["baseline"] = text_or_null(report.baseline);
  return config;
}

Json enumeration_results_json(const study::EnumerateFinding& report) {
  Json results = Json::array();
  const study::InputFacts& input = report.input;
  const ErrorUnits units(input.exact, input.sum_abs, input.formats);
  const Enumeration& all = report.order.enumeration;
  for (std::size_t i = 0; i < all.results.size(); ++i) {
    const Weighted& r = all.results.values[i];
    const bool finite = std::isfinite(r.value) && units.ulp;
    results.push_back(
        {{"bits", bits_text(all.format, bits_of(all.format, r.value))},
         {"value", json_number(r.value)},
         {"count", all.results.orders[i].str()},
         {"probability", r.weight},
         {"error_ulp", finite ? json_number(units.ulp->of(input.exact.difference(r.value))) : Json(nullptr)}});
  }
  return results;
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
      json["results"] = enumeration_results_json(report);
  }
  return json_document(json);
}

}  // namespace orderlab
