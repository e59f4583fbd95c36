// The extremes that `worst` found as a table, in CSV and JSON.
#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/tree.hpp"
#include "show/worst.hpp"

namespace orderlab {

namespace {

struct EndRow {
  std::string_view name;
  const study::InputFacts& input;
  const study::WorstEnd& end;
};

std::string order_words(const study::WorstEnd& end) {
  if (end.tree) return tree_expression(*end.tree);
  std::string words;
  for (const std::uint32_t i : end.order) words += (words.empty() ? "" : " ") + std::to_string(i);
  return words;
}

using EndColumn = ColumnOf<EndRow>;

std::span<const EndColumn> end_columns() {
  static constexpr EndColumn kColumns[] = {
      {"end", [](const EndRow& r) -> Value { return std::string(r.name); }, EndColumn::Where::csv},
      {"bits", [](const EndRow& r) -> Value { return bits_text(r.input.formats.result, r.end.bits); }},
      {"value", [](const EndRow& r) -> Value { return r.end.value; }},
      {"error_ulp", [](const EndRow& r) { return cell_of(worst_error_ulp(r.input, r.end.value)); }},
      {"error_relative", [](const EndRow& r) { return cell_of(worst_error_relative(r.input, r.end.value)); },
       EndColumn::Where::json},
      {"running_bound", [](const EndRow& r) { return cell_of(r.end.running_bound); }},
      {"share_of_bound", [](const EndRow& r) { return cell_of(share_of_bound(r.input, r.end)); },
       EndColumn::Where::json},
      {"order", [](const EndRow& r) -> Value { return order_words(r.end); }, EndColumn::Where::csv},
  };
  return kColumns;
}

Json end_json(const study::InputFacts& input, const study::WorstEnd& end) {
  Json json = json_row(end_columns(), EndRow{"", input, end});
  if (end.tree)
    json["tree"] = tree_expression(*end.tree);
  else
    json["order"] = end.order;
  return json;
}

Json worst_config_json(const study::WorstFinding& finding) {
  Json config = input_config_json(finding.input, {finding.asked});
  config["seed"] = finding.seed;
  config["memory"] = finding.memory_bytes;
  if (finding.seconds > 0)
    config["seconds"] = finding.seconds;
  else
    config["evaluations"] = finding.exact ? Json(nullptr) : Json(finding.evaluations_asked);
  return config;
}

Json sampled_json(const study::WorstFinding& finding) {
  Json json;
  json["samples"] = finding.sampled.samples();
  const auto seen = finding.sampled.extremes();
  const auto ulp = [&](double value) { return or_null(worst_error_ulp(finding.input, value)); };
  json["error_ulp"] = {{"min", seen ? ulp(seen->min) : Json(nullptr)}, {"max", seen ? ulp(seen->max) : Json(nullptr)}};
  json["times_as_far"] = or_null(times_as_far(finding));
  return json;
}

}  // namespace

std::string to_csv(const study::WorstFinding& finding) {
  return csv_titles(end_columns()) + csv_row(end_columns(), EndRow{"least", finding.input, finding.least}) +
         csv_row(end_columns(), EndRow{"greatest", finding.input, finding.greatest});
}

std::string to_json(const study::WorstFinding& finding) {
  Json json = json_head("worst");
  json["config"] = worst_config_json(finding);
  json["input"] = input_json(finding.input);
  json["order"] = order_json(finding.name, finding.asked.expression, {{"searched", finding.searched}});
  json["partial_sums"] = finding.partial_sums.size();
  json["method"] = finding.exact ? "enumeration" : "search";
  json["evaluations"] = finding.exact ? Json(nullptr) : Json(finding.evaluations);
  json["reproducible"] = finding.reproducible;
  json["least"] = end_json(finding.input, finding.least);
  json["greatest"] = end_json(finding.input, finding.greatest);
  json["sampled"] = sampled_json(finding);
  if (finding.partial) json["partial"] = true;
  return json_document(json);
}

}  // namespace orderlab
