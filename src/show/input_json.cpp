#include "show/input_json.hpp"

#include <cmath>
#include <limits>

#include "metrics/metric_fields.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "show/fields_json.hpp"

namespace orderlab {

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number_from(const Json& json) {
  if (!json.is_text()) return json.number();
  if (json.text() == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json.text() == "inf") return std::numeric_limits<double>::infinity();
  if (json.text() == "-inf") return -std::numeric_limits<double>::infinity();
  throw Error(ErrorKind::input, json.dump() + " is not a number");
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return *count;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  return nullptr;
}

void add_metrics(Json& json, const Metrics& metrics) {
  json.update(to_json(described::metrics_table(metrics), metrics));
}

Metrics metrics_from(const Json& json, bool of_all_orders) try {
  Metrics metrics(of_all_orders);
  read(described::metrics_table(metrics), json, metrics);
  return metrics;
} catch (const Error& error) {
  throw Error(error.kind(), std::string("metrics: ") + error.what());
}

std::string json_document(const Json& json) { return json.dump(2) + "\n"; }

namespace {

PointConfig config_of(const study::InputFacts& input, const study::AskedOrder& asked) {
  PointConfig config;
  config.given_terms = input.distribution.empty();
  config.terms = config.given_terms ? input.hash : input.distribution;
  config.n = input.n;
  config.formats = input.formats;
  if (!config.given_terms) config.input_seed = input.input_seed;
  config.input = input.input_number;
  config.expression = asked.expression;
  config.arrival_model = asked.arrival;
  return config;
}

}  // namespace

std::vector<PointConfig> sampling_configs(const study::InputFacts& input, const std::vector<study::AskedOrder>& asked,
                                          const SamplingConfig& sampling) {
  std::vector<PointConfig> orders;
  for (const study::AskedOrder& order : asked) {
    PointConfig& config = orders.emplace_back(config_of(input, order));
    config.seed = sampling.seed;
    config.asked = sampling.samples;
    config.max_distinct = sampling.max_distinct;
    config.baseline = sampling.baseline;
  }
  return orders;
}

Json sampling_config_json(const study::InputFacts& input, const std::vector<study::AskedOrder>& asked,
                          const SamplingConfig& sampling) {
  return config_json(sampling_configs(input, asked, sampling), axes_in_json());
}

}  // namespace orderlab
