#include "report/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/colors.hpp"
#include "report/input_json.hpp"
#include "report/table.hpp"

namespace orderlab {

using Json = nlohmann::ordered_json;

namespace {

// Differences that the text shows; the CSV has all.
constexpr std::uint64_t kMostShown = 10;

std::string count_or_dash(std::uint64_t count) { return count == 0 ? "-" : std::to_string(count); }

std::string run_text(const CapturedRun& run) {
  std::string text = fmt::format("{} {} n={} threads={} items={} grid={} {} seed={}", run.kernel, info(run.format).name,
                                 run.n, run.shape.threads, run.shape.items, run.shape.grid, run.input, run.seed);
  if (run.with_seed) text += fmt::format(" with_seed={}", *run.with_seed);
  if (run.blocks) text += fmt::format(" blocks={}", *run.blocks);
  return text + fmt::format(" repeat={}", run.repeat);
}

std::string difference(const std::string& file, const CapturedRun& run, const VerifiedRun& verified) {
  std::string text = fmt::format("{}:{}: {}\n  claim    {}\n", file, run.line, run_text(run), verified.claim);
  if (verified.expected) text += fmt::format("  model    {}\n", bits_text(run.format, *verified.expected));
  text += fmt::format("  captured {}\n", bits_text(run.format, run.bits));
  if (!verified.problem.empty()) text += "  " + verified.problem + "\n";
  return text;
}

std::string entries_text(std::string_view what, const std::vector<CaptureEntry>& entries) {
  std::string text;
  for (const CaptureEntry& entry : entries) text += fmt::format("{} {} = {}\n", what, entry.name, entry.value);
  return text;
}

std::string conclusion(const VerifiedCapture& capture, bool color) {
  const std::uint64_t mismatches = capture.mismatches();
  if (mismatches > 0)
    return bold(fmt::format("{} of {} runs are not what their kernel claims", mismatches, capture.runs.size()), color);
  if (capture.partial()) return "stopped before every run was looked at";
  return fmt::format("every one of {} runs is what its kernel claims", capture.runs.size());
}

Json entries_json(const std::vector<CaptureEntry>& entries) {
  Json json = Json::object();
  for (const CaptureEntry& entry : entries) json[entry.name] = entry.value;
  return json;
}

Json mismatch_json(const CapturedRun& run, const VerifiedRun& verified) {
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
    if (one.runs[i].mismatch) json["differences"].push_back(mismatch_json(one.capture.runs[i], one.runs[i]));
  if (one.partial()) json["partial"] = true;
  return json;
}

// As CSV quotes a cell that holds commas or quotes.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::uint64_t VerifiedCapture::mismatches() const {
  return static_cast<std::uint64_t>(
      std::count_if(runs.begin(), runs.end(), [](const VerifiedRun& run) { return run.mismatch; }));
}

bool VerifiedCapture::partial() const {
  return std::any_of(runs.begin(), runs.end(),
                     [](const VerifiedRun& run) { return run.verdict == RunVerdict::unchecked; });
}

std::string to_text(const VerifiedCapture& one, bool color) {
  Table table({{"kernel", Align::left},
               {"format", Align::left},
               {"runs"},
               {"identical"},
               {"replayed"},
               {"explained"},
               {"unlikely"},
               {"mismatches"}});
  for (const VerifyRow& row : rows_of(one.capture, one.runs))
    table.add({std::string(row.kernel), std::string(info(row.format).name), std::to_string(row.runs),
               count_or_dash(row.identical), count_or_dash(row.replayed), count_or_dash(row.explained),
               count_or_dash(row.unlikely), count_or_dash(row.mismatches)});
  std::string text = bold(one.file, color) + "\n" + entries_text("fact", one.capture.facts) +
                     entries_text("probe", one.capture.probes) + "\n" + table.text(color);
  std::uint64_t shown = 0;
  for (std::size_t i = 0; i < one.runs.size() && shown < kMostShown; ++i)
    if (one.runs[i].mismatch) {
      text += "\n" + difference(one.file, one.capture.runs[i], one.runs[i]);
      ++shown;
    }
  if (shown < one.mismatches()) text += fmt::format("\nand {} more; --csv lists every run\n", one.mismatches() - shown);
  return text + "\n" + conclusion(one, color) + "\n";
}

std::string to_json(const VerificationReport& report) {
  Json json = json_head("verify");
  json["config"] = {{"confidence", report.confidence}, {"seed", report.seed}};
  json["captures"] = Json::array();
  for (const VerifiedCapture& capture : report.captures) json["captures"].push_back(capture_json(capture));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // a file's name may be no UTF-8
}

std::string to_csv(const VerificationReport& report) {
  std::string csv = "file,line,kernel,format,n,input,seed,repeat,claim,verdict,mismatch,model_bits,bits,problem\n";
  for (const VerifiedCapture& one : report.captures)
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      const CapturedRun& run = one.capture.runs[i];
      const VerifiedRun& v = one.runs[i];
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(one.file), run.line, cell(run.kernel),
                         info(run.format).name, run.n, cell(run.input), run.seed, run.repeat, cell(v.claim),
                         name_of(v.verdict), v.mismatch ? 1 : 0, v.expected ? bits_text(run.format, *v.expected) : "",
                         bits_text(run.format, run.bits), cell(v.problem));
    }
  return csv;
}

}  // namespace orderlab
