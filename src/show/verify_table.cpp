// What `verify` found of captured runs as tables, in CSV and JSON.
#include <utility>

#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/verify.hpp"

namespace orderlab {

namespace {

struct RunRow {
  const std::string& file;
  const CapturedRun& run;
  const VerifiedRun& verified;
};

RunRow run_row(const VerifiedCapture& capture, std::size_t i) {
  return {capture.file, capture.capture.runs[i], capture.runs[i]};
}

Value model_bits(const RunRow& r) {
  return r.verified.expected ? Value(bits_text(r.run.format, *r.verified.expected)) : Value();
}

// Of many outputs those of the first that differs.
Value captured_bits(const RunRow& r) {
  if (!r.run.rows) return bits_text(r.run.format, r.run.bits);
  return r.verified.output ? Value(bits_text(r.run.format, r.verified.captured)) : Value();
}

Value problem_of(const RunRow& r) { return r.verified.problem.empty() ? Value() : Value(r.verified.problem); }

using RunColumn = ColumnOf<RunRow>;

std::span<const RunColumn> run_columns() {
  static constexpr RunColumn kColumns[] = {
      {"file", [](const RunRow& r) -> Value { return r.file; }, RunColumn::Where::csv},
      {"line", [](const RunRow& r) -> Value { return r.run.line; }},
      {"kernel", [](const RunRow& r) -> Value { return r.run.kernel; }},
      {"format", [](const RunRow& r) -> Value { return std::string(info(r.run.format).name); }},
      {"n", [](const RunRow& r) -> Value { return r.run.n; }},
      {"input", [](const RunRow& r) -> Value { return r.run.input; }, RunColumn::Where::csv},
      {"seed", [](const RunRow& r) -> Value { return r.run.seed; }, RunColumn::Where::csv},
      {"repeat", [](const RunRow& r) -> Value { return r.run.repeat; }, RunColumn::Where::csv},
      {"claim", [](const RunRow& r) -> Value { return r.verified.claim; }},
      {"verdict", [](const RunRow& r) -> Value { return std::string(name_of(r.verified.verdict)); }},
      {"mismatch", [](const RunRow& r) -> Value { return std::uint64_t{r.verified.mismatch}; }, RunColumn::Where::csv},
      {"model_bits", model_bits},
      {"bits", captured_bits},
      {"problem", problem_of},
  };
  return kColumns;
}

Json entries_json(const std::vector<CaptureEntry>& entries) {
  Json json = Json::object();
  for (const CaptureEntry& entry : entries) json[entry.name] = entry.value;
  return json;
}

Json capture_json(const VerifiedCapture& one) {
  Json json = {{"file", one.file},
               {"facts", entries_json(one.capture.facts)},
               {"probes", entries_json(one.capture.probes)},
               {"runs", one.runs.size()},
               {"mismatches", one.mismatches()},
               {"rows", Json::array()},
               {"differences", Json::array()}};
  for (const VerifyRow& row : rows_of(one.capture, one.runs))
    json["rows"].push_back({{"kernel", row.kernel},
                            {"format", info(row.format).name},
                            {"runs", row.runs},
                            {"identical", row.identical},
                            {"replayed", row.replayed},
                            {"explained", row.explained},
                            {"unlikely", row.unlikely},
                            {"mismatches", row.mismatches}});
  for (std::size_t i = 0; i < one.runs.size(); ++i)
    if (one.runs[i].mismatch) {
      Json run = json_row(run_columns(), run_row(one, i));
      if (one.runs[i].output) run["output"] = *one.runs[i].output;
      json["differences"].push_back(std::move(run));
    }
  if (one.partial()) json["partial"] = true;
  return json;
}

}  // namespace

std::string to_csv(const VerifyFinding& finding) {
  std::string csv = csv_titles(run_columns());
  for (const VerifiedCapture& one : finding.captures)
    for (std::size_t i = 0; i < one.runs.size(); ++i) csv += csv_row(run_columns(), run_row(one, i));
  return csv;
}

std::string to_json(const VerifyFinding& finding) {
  Json json = json_head("verify");
  json["config"] = {{"confidence", finding.confidence}, {"seed", finding.seed}};
  json["captures"] = Json::array();
  for (const VerifiedCapture& capture : finding.captures) json["captures"].push_back(capture_json(capture));
  if (finding.partial) json["partial"] = true;
  return json_document(json);
}

}  // namespace orderlab
