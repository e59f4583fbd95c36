#include "show/worst_json.hpp"

#include "show/input_json.hpp"
#include "show/tree_report.hpp"

namespace orderlab {

namespace {

Json end_json(const study::WorstFinding& report, const study::WorstEnd& end) {
  Json json;
  json["bits"] = bits_text(report.input.formats.result, end.bits);
  json["value"] = json_number(end.value);
  json["error_ulp"] = or_null(worst_error_ulp(report.input, end.value));
  json["error_relative"] = or_null(worst_error_relative(report.input, end.value));
  json["running_bound"] = or_null(end.running_bound);
  json["share_of_bound"] = or_null(share_of_bound(report.input, end));
  if (end.tree)
    json["tree"] = tree_expression(*end.tree);
  else
    json["order"] = end.order;
  return json;
}

Json worst_config_json(const study::WorstFinding& report) {
  Json config = input_config_json(report.input, {report.asked});
  config["seed"] = report.seed;
  config["memory"] = report.memory_bytes;
  if (report.seconds > 0)
    config["seconds"] = report.seconds;
  else
    config["evaluations"] = report.exact ? Json(nullptr) : Json(report.evaluations_asked);
  return config;
}

Json sampled_json(const study::WorstFinding& report) {
  Json json;
  json["samples"] = report.sampled.samples();
  const auto seen = report.sampled.extremes();
  const auto ulp = [&](double value) { return or_null(worst_error_ulp(report.input, value)); };
  json["error_ulp"] = {{"min", seen ? ulp(seen->min) : Json(nullptr)}, {"max", seen ? ulp(seen->max) : Json(nullptr)}};
  json["times_as_far"] = or_null(times_as_far(report));
  return json;
}

}  // namespace

std::string to_json(const study::WorstFinding& report) {
  Json json = json_head("worst");
  json["config"] = worst_config_json(report);
  json["input"] = input_json(report.input);
  json["order"] = order_json(report.name, report.asked.expression, {{"searched", report.searched}});
  json["partial_sums"] = report.partial_sums.size();
  json["method"] = report.exact ? "enumeration" : "search";
  json["evaluations"] = report.exact ? Json(nullptr) : Json(report.evaluations);
  json["reproducible"] = report.reproducible;
  json["least"] = end_json(report, report.least);
  json["greatest"] = end_json(report, report.greatest);
  json["sampled"] = sampled_json(report);
  if (report.partial) json["partial"] = true;
  return json_document(json);
}

}  // namespace orderlab
