// Reports on cross-checks.
#include "report/crosscheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/colors.hpp"
#include "report/input_json.hpp"
#include "report/table.hpp"

namespace orderlab {

using Json = nlohmann::ordered_json;

namespace {

std::string shape_text(const LaunchShape& shape) {
  return fmt::format("{} threads, items={}, grid={}", shape.threads, shape.items,
                     shape.grid == 0 ? "full" : std::to_string(shape.grid));
}

std::string bits_or_none(Format format, const std::optional<std::uint64_t>& bits) {
  return bits ? bits_text(format, *bits) : "nothing";
}

// Where a kernel and its claim part, and what each gave.
std::string difference(const CrossCheckRow& row) {
  const Mismatch& m = *row.first;
  std::string text =
      fmt::format("{} on {}, {}, n={}, {}, terms {} seed {}, arrival sample {}\n", row.kernel->name, row.device,
                  info(row.format).name, m.n, shape_text(m.shape), m.terms, m.seed, m.sample);
  if (!m.problem.empty()) return text + "  " + m.problem + "\n";
  return text + fmt::format("  claim  {}\n  model  {}\n  {:6} {}\n", m.claim, bits_or_none(row.format, m.expected),
                            row.device, bits_or_none(row.format, m.got));
}

Json mismatch_json(const CrossCheckRow& row) {
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

std::uint64_t total_cases(const CrossCheckReport& report) {
  std::uint64_t cases = 0;
  for (const CrossCheckRow& row : report.rows) cases += row.cases;
  return cases;
}

}  // namespace

std::string to_text(const CrossCheckSummary& summary, bool color) {
  Table table({{"kernel", Align::left},
               {"device", Align::left},
               {"format", Align::left},
               {"cases"},
               {"replays"},
               {"verdict", Align::left}});
  std::string differences;
  for (const CrossCheckRow& row : summary.report.rows) {
    const std::string verdict = row.cases == 0        ? "not run"
                                : row.mismatches == 0 ? "bit-identical"
                                                      : fmt::format("{} DIFFER", row.mismatches);
    table.add({std::string(row.kernel->name), std::string(row.device), std::string(info(row.format).name),
               std::to_string(row.cases), row.replays == 0 ? "-" : std::to_string(row.replays), verdict});
    if (row.first) differences += "\n" + difference(row);
  }
  const std::uint64_t cases = total_cases(summary.report);
  const std::uint64_t mismatches = summary.report.mismatches();
  const auto [least, greatest] = std::minmax_element(summary.options.sizes.begin(), summary.options.sizes.end());
  return table.text(color) + differences +
         fmt::format("\n{} cases ({} sizes from {} to {}, {} seeds) in {:.1f} s: {}{}\n", cases,
                     summary.options.sizes.size(), *least, *greatest, summary.options.seeds, summary.seconds,
                     mismatches == 0 ? "every sum is bit-identical to its claim"
                                     : fmt::format("{} differ from their claim", mismatches),
                     summary.report.partial ? "; stopped before all were run" : "");
}

std::string to_json(const CrossCheckSummary& summary) {
  Json json = json_head("crosscheck");
  Json& config = json["config"];
  config["devices"] = summary.devices;
  config["sizes"] = summary.options.sizes;
  config["seed"] = summary.options.seed;
  config["seeds"] = summary.options.seeds;
  config["samples"] = summary.options.samples;
  json["cases"] = total_cases(summary.report);
  json["mismatches"] = summary.report.mismatches();
  json["rows"] = Json::array();
  for (const CrossCheckRow& row : summary.report.rows)
    json["rows"].push_back({{"kernel", row.kernel->name},
                            {"device", row.device},
                            {"format", info(row.format).name},
                            {"cases", row.cases},
                            {"replays", row.replays},
                            {"mismatches", row.mismatches},
                            {"first", mismatch_json(row)}});
  if (summary.report.partial) json["partial"] = true;
  return json.dump(2) + "\n";
}

std::string to_csv(const CrossCheckSummary& summary) {
  std::string csv = "kernel,device,format,cases,replays,mismatches\n";
  for (const CrossCheckRow& row : summary.report.rows)
    csv += fmt::format("{},{},{},{},{},{}\n", row.kernel->name, row.device, info(row.format).name, row.cases,
                       row.replays, row.mismatches);
  return csv;
}

}  // namespace orderlab
