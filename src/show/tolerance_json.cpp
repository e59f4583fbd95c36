#include "show/input_json.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_lines.hpp"
#include "show/tolerance_words.hpp"

namespace orderlab {

namespace {

std::string_view name_of(Against against) { return against == Against::run ? "run" : "exact"; }

Json tolerance_config_json(const study::ToleranceFinding& finding) {
  Json config = input_config_json(finding.input, {finding.asked});
  config["seed"] = finding.seed;
  config["coverage"] = finding.coverage;
  config["confidence"] = finding.confidence;
  config["against"] = name_of(finding.against);
  config["samples"] = or_null(finding.samples_asked);
  config["inputs"] = finding.inputs;
  config["outputs"] = finding.outputs;
  config["memory"] = finding.memory_bytes;
  if (finding.order_assumed) config["order_assumed"] = true;
  return config;
}

Json limit_json(const study::ToleranceFinding& finding, double value, const std::string& why_not) {
  Json json;
  json["value"] = why_not.empty() ? Json(value) : Json(nullptr);
  if (!why_not.empty()) json["reason"] = why_not;
  json["coverage"] = finding.reached;
  json["confidence"] = stated_confidence(finding);
  json["method"] = method_in_words(finding);
  return json;
}

Json bounds_json(const study::ToleranceFinding& finding) {
  Json bounds = Json::array();
  for (const study::BesideBound& bound : finding.bounds) {
    Json json{{"name", bound.name}, {"value", or_null(bound.value)}, {"probability", bound.probability}};
    json["proven"] = bound.proven;
    const bool comparable = bound.value && has_limit(finding) && finding.limit.absolute > 0;
    json["ratio"] = comparable ? json_number(*bound.value / finding.limit.absolute) : Json(nullptr);
    json["note"] = bound.note;
    bounds.push_back(std::move(json));
  }
  return bounds;
}

Json usual_orders_json() {
  Json orders = Json::array();
  for (const study::UsualOrder& usual : study::usual_orders())
    orders.push_back({{"situation", usual.situation}, {"order", usual.order}});
  return orders;
}

}  // namespace

std::string to_json(const study::ToleranceFinding& finding) {
  Json json = json_head("tolerance");
  json["config"] = tolerance_config_json(finding);
  if (finding.partial) json["partial"] = true;
  json["input"] = input_json(finding.input);
  json["order"] = order_json(finding.name, finding.asked.expression, {{"guarantee", finding.guarantee}});
  add_warnings(json, finding.warnings);
  json["against"] = name_of(finding.against);
  json["samples"] = finding.draws * (finding.against == Against::run ? 2 : 1);
  const std::string no_limit = has_limit(finding) ? "" : "no finite tolerance";
  json["tolerance"] = {{"rtol", limit_json(finding, finding.limit.relative, why_no_rtol(finding))},
                       {"atol", limit_json(finding, finding.limit.absolute, no_limit)},
                       {"ulp", limit_json(finding, finding.limit.ulp, why_no_ulp(finding))}};
  json["observed"] = {{"rms", or_null(finding.rms)},
                      {"largest", json_number(finding.largest.absolute)},
                      {"rms_from_exact", or_null(finding.rms_from_exact)},
                      {"largest_from_exact", json_number(finding.largest_from_exact)},
                      {"nonfinite", finding.nonfinite}};
  json["condition"] = json_number(finding.condition);
  json["bounds"] = bounds_json(finding);
  Json lines = Json::object();
  for (const PasteLine& line : paste_lines(finding)) lines[std::string(line.framework)] = line.text;
  json["lines"] = std::move(lines);
  if (finding.order_assumed) json["usual_orders"] = usual_orders_json();
  return json_document(json);
}

}  // namespace orderlab
