// What `crosscheck` found of each kernel as a table, in CSV and JSON.
#include <cmath>
#include <utility>

#include "orderlab/ulp.hpp"
#include "show/columns.hpp"
#include "show/crosscheck.hpp"
#include "show/crosscheck_words.hpp"
#include "show/input_json.hpp"

namespace orderlab {

namespace {

std::string verdict_of(const CrossCheckRow& row) {
  if (row.cases == 0) return "not_run";
  if (row.mismatches != 0) return "differs";
  return claims(row) ? "identical" : "no_claim";
}

std::span<const ColumnOf<CrossCheckRow>> kernel_columns() {
  static constexpr ColumnOf<CrossCheckRow> kColumns[] = {
      {"kernel", [](const CrossCheckRow& r) -> Value { return std::string(r.kernel->name); }},
      {"device", [](const CrossCheckRow& r) -> Value { return std::string(r.device); }},
      {"format", [](const CrossCheckRow& r) -> Value { return to_string(r.formats); }},
      {"cases", [](const CrossCheckRow& r) -> Value { return r.cases; }},
      {"replays", [](const CrossCheckRow& r) -> Value { return r.replays; }},
      {"mismatches", [](const CrossCheckRow& r) -> Value { return r.mismatches; }},
      {"verdict", [](const CrossCheckRow& r) -> Value { return verdict_of(r); }, ColumnOf<CrossCheckRow>::Where::csv},
  };
  return kColumns;
}

Json crosscheck_mismatch_json(const CrossCheckRow& row, const Mismatch& m) {
  const Format result = row.formats.result;
  const auto bits = [&](const std::optional<std::uint64_t>& b) { return b ? Json(bits_text(result, *b)) : Json(); };
  const auto value = [&](const std::optional<std::uint64_t>& b) {
    return b ? Json(value_of_bits(result, *b)) : Json();
  };
  const auto finite = [&](const std::optional<std::uint64_t>& b) {
    return b && std::isfinite(value_of_bits(result, *b));
  };
  const bool both = finite(m.expected) && finite(m.got);
  Json json{{"n", m.n},
            {"threads", m.shape.threads},
            {"items", m.shape.items},
            {"grid", m.shape.grid},
            {"terms", m.terms},
            {"seed", m.seed},
            {"sample", m.sample},
            {"claim", m.claim},
            {"model_bits", bits(m.expected)},
            {"bits", bits(m.got)},
            {"problem", m.problem.empty() ? Json() : Json(m.problem)},
            {"kind", name_of(m.kind)},
            {"model_value", value(m.expected)},
            {"value", value(m.got)},
            {"distance_ulp", both ? Json(ulp_distance(result, *m.expected, *m.got)) : Json()},
            {"basis", m.basis.empty() ? Json() : Json(m.basis)}};
  if (m.output) json["output"] = *m.output;
  return json;
}

Json kinds_json(const CrossCheckRow& row) {
  Json kinds = Json::array();
  for (const MismatchesOfKind& kind : row.kinds)
    kinds.push_back({{"kind", name_of(kind.kind)},
                     {"mismatches", kind.count},
                     {"first", crosscheck_mismatch_json(row, kind.first)}});
  return kinds;
}

Json shapes_json(const CrossCheckRow& row) {
  Json shapes = Json::array();
  for (std::size_t i = 0; i < row.shapes.size(); ++i) {
    const LaunchShape& shape = row.kernel->shapes[i];
    shapes.push_back({{"threads", shape.threads},
                      {"items", shape.items},
                      {"grid", shape.grid},
                      {"cases", row.shapes[i].cases},
                      {"mismatches", row.shapes[i].mismatches}});
  }
  return shapes;
}

// How many sizes were run, and those with mismatches.
Json sizes_json(const CrossCheckRow& row) {
  Json differ = Json::array();
  for (const auto& [n, covered] : row.sizes)
    if (covered.mismatches != 0) differ.push_back(n);
  return {{"run", row.sizes.size()}, {"differ", differ}};
}

}  // namespace

std::string to_csv(const study::CrossCheckFinding& finding) { return csv_table(kernel_columns(), finding.checks.rows); }

std::string to_json(const study::CrossCheckFinding& finding) {
  Json json = json_head("crosscheck");
  Json& config = json["config"];
  config["devices"] = finding.devices;
  config["kernels"] = finding.kernels;
  config["formats"] = Json::array();
  for (const Format format : finding.options.formats) config["formats"].push_back(info(format).name);
  config["sizes"] = finding.options.sizes;
  config["seed"] = finding.options.seed;
  config["seeds"] = finding.options.seeds;
  config["samples"] = finding.options.samples;
  json["cases"] = finding.cases();
  json["mismatches"] = finding.checks.mismatches();
  json["rows"] = Json::array();
  for (const CrossCheckRow& row : finding.checks.rows) {
    Json kernel = json_row(kernel_columns(), row);
    kernel["first"] = row.first ? crosscheck_mismatch_json(row, *row.first) : Json();
    kernel["kinds"] = kinds_json(row);
    kernel["shapes"] = shapes_json(row);
    kernel["sizes"] = sizes_json(row);
    if (row.kernel->outputs != nullptr) kernel["unit_orders"] = row.unit_orders;
    json["rows"].push_back(std::move(kernel));
  }
  add_warnings(json, finding.checks.warnings);
  if (finding.checks.partial) json["partial"] = true;
  return json_document(json);
}

}  // namespace orderlab
