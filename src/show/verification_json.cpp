#include "show/verification_json.hpp"

#include "show/input_json.hpp"

namespace orderlab {

namespace {

Json entries_json(const std::vector<CaptureEntry>& entries) {
  Json json = Json::object();
  for (const CaptureEntry& entry : entries) json[entry.name] = entry.value;
  return json;
}

Json verification_mismatch_json(const CapturedRun& run, const VerifiedRun& verified) {
  return {{"line", run.line},
          {"kernel", run.kernel},
          {"format", info(run.format).name},
          {"n", run.n},
          {"claim", verified.claim},
          {"verdict", name_of(verified.verdict)},
          {"model_bits", verified.expected ? Json(bits_text(run.format, *verified.expected)) : Json()},
          {"bits", bits_text(run.format, run.bits)},
          {"problem", verified.problem.empty() ? Json() : Json(verified.problem)}};
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
    if (one.runs[i].mismatch)
      json["differences"].push_back(verification_mismatch_json(one.capture.runs[i], one.runs[i]));
  if (one.partial()) json["partial"] = true;
  return json;
}

}  // namespace

std::string to_json(const VerificationReport& report) {
  Json json = json_head("verify");
  json["config"] = {{"confidence", report.confidence}, {"seed", report.seed}};
  json["captures"] = Json::array();
  for (const VerifiedCapture& capture : report.captures) json["captures"].push_back(capture_json(capture));
  return json_document(json);
}

}  // namespace orderlab
