#include <cmath>
#include <string>
#include <utility>

#include "metrics/same_bits.hpp"
#include "show/input_json.hpp"
#include "show/result_table.hpp"
#include "show/sample.hpp"

namespace orderlab {

namespace {

Json sample_config_json(const study::SampleFinding& finding) {
  return sampling_config_json(finding.input, finding.asked,
                              {finding.seed, finding.samples, finding.max_distinct, finding.baseline});
}

Json sample_config_json(const study::SumFinding& finding) {
  Json config = input_config_json(finding.input, finding.asked);
  config["baseline"] = text_or_null(finding.baseline);
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

std::string sample_document(const std::string& command, Json config, const study::SampleFinding& finding) {
  Json json = json_head(command);
  json["config"] = std::move(config);
  if (finding.range) json["range"] = {finding.range->first, finding.range->second};
  if (finding.partial) json["partial"] = true;
  json["input"] = input_json(finding.input);
  if (finding.asked.size() == 1) {
    add_order(json, finding.orders[0], finding.input);
  } else {
    Json runs = Json::array();
    for (const study::SampledOrder& order : finding.orders) {
      Json run;
      add_order(run, order, finding.input);
      runs.push_back(std::move(run));
    }
    json["runs"] = std::move(runs);
    if (finding.asked.size() == 2) json["differing_bits"] = differing_bits_json(finding.orders);
  }
  return json_document(json);
}

}  // namespace

std::string to_json(const study::SampleFinding& finding) {
  return sample_document("sample", sample_config_json(finding), finding);
}

std::string to_json(const study::SumFinding& finding) {
  return sample_document("sum", sample_config_json(finding), finding);
}

}  // namespace orderlab
