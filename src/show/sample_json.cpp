#include <cmath>
#include <string>
#include <utility>

#include "metrics/same_bits.hpp"
#include "show/input_json.hpp"
#include "show/result_table.hpp"
#include "show/sample.hpp"

namespace orderlab {

namespace {

Json sample_config_json(const study::SampleFinding& report) {
  return sampling_config_json(report.input, report.asked,
                              {report.seed, report.samples, report.max_distinct, report.baseline});
}

Json sample_config_json(const study::SumFinding& report) {
  Json config = input_config_json(report.input, report.asked);
  config["baseline"] = text_or_null(report.baseline);
  return config;
}

Json sample_histogram_json(const ResultCounts& counts) {
  Json bins = Json::array();
  for (const Weighted& bin : counts.bins().values)
    bins.push_back({json_number(bin.value), static_cast<std::uint64_t>(bin.weight)});
  return {{"bin_ulp", json_number(std::ldexp(1.0, counts.bin_exponent()))}, {"bins", bins}};
}

void add_order(Json& json, const study::SampledOrder& order, const study::InputFacts& input) {
  json["order"] = sampled_order_json(order);
  add_warnings(json, order.warnings);
  json["samples"] = order.counts.samples();
  for (const Metrics::Entry& entry : order.metrics.entries()) {
    json[entry.metric->name] = json_of(entry);
    if (!entry.is<DistinctResults>()) continue;
    if (order.counts.binned())
      json["histogram"] = sample_histogram_json(order.counts);
    else
      json["results"] = result_table_json(sampled_result_columns(), order.counts.results(), input);
  }
}

// That a run of the first order differs from a run of the second one; null where one was interrupted or binned.
Json differing_bits_json(const std::vector<study::SampledOrder>& orders) {
  const auto probability =
      orders.size() == 2 ? differing_bits_estimate(orders[0].counts, orders[1].counts) : std::nullopt;
  return {{"probability", probability ? json_number(*probability) : Json(nullptr)}};
}

std::string sample_document(const std::string& command, Json config, const study::SampleFinding& report) {
  Json json = json_head(command);
  json["config"] = std::move(config);
  if (report.range) json["range"] = {report.range->first, report.range->second};
  if (report.partial) json["partial"] = true;
  json["input"] = input_json(report.input);
  if (report.asked.size() == 1) {
    add_order(json, report.orders[0], report.input);
  } else {
    Json runs = Json::array();
    for (const study::SampledOrder& order : report.orders) {
      Json run;
      add_order(run, order, report.input);
      runs.push_back(std::move(run));
    }
    json["runs"] = std::move(runs);
    if (report.asked.size() == 2) json["differing_bits"] = differing_bits_json(report.orders);
  }
  return json_document(json);
}

}  // namespace

std::string to_json(const study::SampleFinding& report) {
  return sample_document("sample", sample_config_json(report), report);
}

std::string to_json(const study::SumFinding& report) {
  return sample_document("sum", sample_config_json(report), report);
}

}  // namespace orderlab
