#include "show/input_json.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_lines.hpp"
#include "show/tolerance_words.hpp"

namespace orderlab {

namespace {

std::string_view name_of(Against against) { return against == Against::run ? "run" : "exact"; }

Json tolerance_config_json(const study::ToleranceFinding& report) {
  Json config = input_config_json(report.input, {report.asked});
  config["seed"] = report.seed;
  config["coverage"] = report.coverage;
  config["confidence"] = report.confidence;
  config["against"] = name_of(report.against);
  config["samples"] = or_null(report.samples_asked);
  config["inputs"] = report.inputs;
  config["outputs"] = report.outputs;
  config["memory"] = report.memory_bytes;
  if (report.order_assumed) config["order_assumed"] = true;
  return config;
}

Json limit_json(const study::ToleranceFinding& report, double value, const std::string& why_not) {
  Json json;
  json["value"] = why_not.empty() ? Json(value) : Json(nullptr);
  if (!why_not.empty()) json["reason"] = why_not;
  json["coverage"] = report.reached;
  json["confidence"] = stated_confidence(report);
  json["method"] = method_in_words(report);
  return json;
}

Json bounds_json(const study::ToleranceFinding& report) {
  Json bounds = Json::array();
  for (const study::BesideBound& bound : report.bounds) {
    Json json{{"name", bound.name}, {"value", or_null(bound.value)}, {"probability", bound.probability}};
    json["proven"] = bound.proven;
    const bool comparable = bound.value && has_limit(report) && report.limit.absolute > 0;
    json["ratio"] = comparable ? json_number(*bound.value / report.limit.absolute) : Json(nullptr);
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

std::string to_json(const study::ToleranceFinding& report) {
  Json json = json_head("tolerance");
  json["config"] = tolerance_config_json(report);
  if (report.partial) json["partial"] = true;
  json["input"] = input_json(report.input);
  json["order"] = order_json(report.name, report.asked.expression, {{"guarantee", report.guarantee}});
  add_warnings(json, report.warnings);
  json["against"] = name_of(report.against);
  json["samples"] = report.draws * (report.against == Against::run ? 2 : 1);
  const std::string no_limit = has_limit(report) ? "" : "no finite tolerance";
  json["tolerance"] = {{"rtol", limit_json(report, report.limit.relative, why_no_rtol(report))},
                       {"atol", limit_json(report, report.limit.absolute, no_limit)},
                       {"ulp", limit_json(report, report.limit.ulp, why_no_ulp(report))}};
  json["observed"] = {{"rms", or_null(report.rms)},
                      {"largest", json_number(report.largest.absolute)},
                      {"rms_from_exact", or_null(report.rms_from_exact)},
                      {"largest_from_exact", json_number(report.largest_from_exact)},
                      {"nonfinite", report.nonfinite}};
  json["condition"] = json_number(report.condition);
  json["bounds"] = bounds_json(report);
  Json lines = Json::object();
  for (const PasteLine& line : paste_lines(report)) lines[std::string(line.framework)] = line.text;
  json["lines"] = std::move(lines);
  if (report.order_assumed) json["usual_orders"] = usual_orders_json();
  return json_document(json);
}

}  // namespace orderlab
