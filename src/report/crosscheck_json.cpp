#include "report/crosscheck_json.hpp"

#include "experiment/input_json.hpp"

namespace orderlab {

namespace {

Json crosscheck_mismatch_json(const CrossCheckRow& row) {
  if (!row.first) return nullptr;
  const Mismatch& m = *row.first;
  const auto bits = [&](const std::optional<std::uint64_t>& b) { return b ? Json(bits_text(row.format, *b)) : Json(); };
  return {{"n", m.n},
          {"threads", m.shape.threads},
          {"items", m.shape.items},
          {"grid", m.shape.grid},
          {"terms", m.terms},
          {"seed", m.seed},
          {"sample", m.sample},
          {"claim", m.claim},
          {"model_bits", bits(m.expected)},
          {"bits", bits(m.got)},
          {"problem", m.problem.empty() ? Json() : Json(m.problem)}};
}

}  // namespace

std::string to_json(const CrossCheckSummary& summary) {
  Json json = json_head("crosscheck");
  Json& config = json["config"];
  config["devices"] = summary.devices;
  config["kernels"] = summary.kernels;
  config["formats"] = Json::array();
  for (const Format format : summary.options.formats) config["formats"].push_back(info(format).name);
  config["sizes"] = summary.options.sizes;
  config["seed"] = summary.options.seed;
  config["seeds"] = summary.options.seeds;
  config["samples"] = summary.options.samples;
  json["cases"] = summary.cases();
  json["mismatches"] = summary.report.mismatches();
  json["rows"] = Json::array();
  for (const CrossCheckRow& row : summary.report.rows)
    json["rows"].push_back({{"kernel", row.kernel->name},
                            {"device", row.device},
                            {"format", info(row.format).name},
                            {"cases", row.cases},
                            {"replays", row.replays},
                            {"mismatches", row.mismatches},
                            {"first", crosscheck_mismatch_json(row)}});
  if (summary.report.partial) json["partial"] = true;
  return json_document(json);
}

}  // namespace orderlab
