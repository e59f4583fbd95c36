// The verdicts of `check` as a table, in CSV and JSON.
#include "orderlab/ulp.hpp"
#include "show/check.hpp"
#include "show/columns.hpp"
#include "show/given_json.hpp"
#include "show/input_json.hpp"

namespace orderlab {

namespace {

struct VerdictRow {
  const ValueVerdict& verdict;
  Format format;
};

template <auto member>
Value optional_cell(const VerdictRow& row) {
  return cell_of(row.verdict.*member);
}

std::span<const ColumnOf<VerdictRow>> verdict_columns() {
  static constexpr ColumnOf<VerdictRow> kColumns[] = {
      {"bits", [](const VerdictRow& r) -> Value { return bits_text(r.format, r.verdict.bits); }},
      {"value", [](const VerdictRow& r) -> Value { return r.verdict.value; }},
      {"given", [](const VerdictRow& r) -> Value { return r.verdict.given; }},
      {"digits",
       [](const VerdictRow& r) -> Value {
         return cell_of(r.verdict.digits == 0 ? std::optional<std::uint64_t>()
                                              : static_cast<std::uint64_t>(r.verdict.digits));
       }},
      {"numbers", [](const VerdictRow& r) -> Value { return r.verdict.read.size(); }},
      {"verdict", [](const VerdictRow& r) -> Value { return std::string(name_of(r.verdict.verdict)); }},
      {"reason", [](const VerdictRow& r) -> Value { return std::string(name_of(r.verdict.reason)); }},
      {"probability", optional_cell<&ValueVerdict::probability>},
      {"seen", optional_cell<&ValueVerdict::seen>},
      {"p", optional_cell<&ValueVerdict::p>},
      {"distance_ulp", optional_cell<&ValueVerdict::distance_ulp>},
      {"error_ulp", optional_cell<&ValueVerdict::error_ulp>},
  };
  return kColumns;
}

Json check_config_json(const study::CheckFinding& finding) {
  Json config = input_config_json(finding.input, {finding.asked});
  config["seed"] = finding.seed;
  config["confidence"] = finding.result.confidence;
  config["samples"] = or_null(finding.samples_asked);
  config["memory"] = finding.memory_bytes;
  Json values = Json::array();
  for (const ValueVerdict& v : finding.result.values)
    values.push_back(given_json(finding.input.formats.result, v.bits, v.given, v.digits_given));
  config["values"] = std::move(values);
  if (finding.means) config["means"] = info(*finding.means).name;
  config["ftz"] = name_of(finding.flushing);
  config["arrivals_known"] = finding.result.frequencies_decide;
  return config;
}

double number_of_key(Format format, std::int64_t key) { return value_of_bits(format, bits_of_key(format, key)); }

void add_method(Json& json, const study::CheckFinding& finding) {
  json["method"] = finding.all ? "enumeration" : "sampling";
  if (finding.all) {
    const bool counted = finding.all->orders != 0;
    json["orders"] = counted ? Json(finding.all->orders.str()) : Json(nullptr);
    json["distinct"] = finding.all->results.size();
    return;
  }
  json["samples"] = finding.samples->samples();
  json["distinct"] = finding.samples->binned() ? Json(nullptr) : Json(finding.samples->distinct());
  const auto range = finding.samples->extremes();
  json["range"] = {{"min", range ? Json(range->min) : Json(nullptr)},
                   {"max", range ? Json(range->max) : Json(nullptr)}};
  json["bound"] = or_null(finding.bound);
  const auto& others = finding.others;
  json["other_arrivals"] = Json(nullptr);
  if (others && others->sums)
    json["other_arrivals"] = {{"orders", others->tried},
                              {"searched", others->searched},
                              {"min", number_of_key(finding.input.formats.result, others->sums->low)},
                              {"max", number_of_key(finding.input.formats.result, others->sums->high)}};
}

Json suggestion_json(const study::Suggestion& one, Format format) {
  return {{"bits", bits_text(format, one.bits)},
          {"kind", one.kind},
          {"what", one.what},
          {"option", one.option.empty() ? Json(nullptr) : Json(one.option)},
          {"term", or_null(one.term)},
          {"terms", or_null(one.terms)},
          {"by_chance", one.by_chance}};
}

}  // namespace

std::string to_csv(const study::CheckFinding& finding) {
  std::string csv = csv_titles(verdict_columns());
  for (const ValueVerdict& v : finding.result.values)
    csv += csv_row(verdict_columns(), VerdictRow{v, finding.input.formats.result});
  return csv;
}

std::string to_json(const study::CheckFinding& finding) {
  Json json = json_head("check");
  json["config"] = check_config_json(finding);
  if (finding.partial) json["partial"] = true;
  json["input"] = input_json(finding.input);
  json["order"] = order_json(finding.name, finding.asked.expression, {{"guarantee", finding.guarantee}});
  add_warnings(json, finding.warnings);
  add_method(json, finding);
  json["rounded_values"] = finding.rounded;
  Json values = Json::array();
  for (const ValueVerdict& v : finding.result.values)
    values.push_back(json_row(verdict_columns(), VerdictRow{v, finding.input.formats.result}));
  json["values"] = std::move(values);
  const auto& joint = finding.result.joint;
  const auto& outliers = finding.result.outliers;
  json["outliers"] = outliers ? Json({{"below", outliers->below},
                                      {"above", outliers->above},
                                      {"nonfinite", outliers->nonfinite},
                                      {"p", outliers->p}})
                              : Json(nullptr);
  const auto& misses = finding.result.misses;
  json["misses"] =
      misses ? Json({{"outliers", misses->outliers - 1}, {"shift", or_null(misses->shift)}}) : Json(nullptr);
  json["joint"] = joint ? Json({{"p", joint->p}, {"test", joint->test}}) : Json(nullptr);
  json["frequencies_decide"] = finding.result.frequencies_decide;
  Json suggestions = Json::array();
  for (const study::Suggestion& one : finding.suggestions)
    suggestions.push_back(suggestion_json(one, finding.input.formats.result));
  json["suggestions"] = std::move(suggestions);
  const bool decided = finding.result.verdict() != Verdict::none;
  json["p"] = decided ? Json(finding.result.p()) : Json(nullptr);
  json["verdict"] = name_of(finding.result.verdict());
  return json_document(json);
}

}  // namespace orderlab
