#include <fmt/format.h>

#include "core/printable.hpp"
#include "show/colors.hpp"
#include "show/table.hpp"
#include "show/verify.hpp"

namespace orderlab {

namespace {

// Differences that the text shows; the CSV has all.
constexpr std::uint64_t kMostShown = 10;

std::string count_or_dash(std::uint64_t count) { return count == 0 ? "-" : std::to_string(count); }

std::string run_text(const CapturedRun& run) {
  std::string text =
      fmt::format("{} {} n={} threads={} items={} grid={} {} seed={}", run.kernel, to_string(run.formats()), run.n,
                  run.shape.threads, run.shape.items, run.shape.grid, run.input, run.seed);
  if (run.with_seed) text += fmt::format(" with_seed={}", *run.with_seed);
  if (run.blocks) text += fmt::format(" blocks={}", *run.blocks);
  if (run.rows) text += fmt::format(" rows={} columns={}", *run.rows, run.columns.value_or(1));
  if (run.bins) text += fmt::format(" bins={}", *run.bins);
  return text + fmt::format(" repeat={}", run.repeat);
}

std::string difference(const std::string& file, const CapturedRun& run, const VerifiedRun& verified) {
  std::string text =
      fmt::format("{}:{}: {}\n  claim    {}\n", printable(file), run.line, run_text(run), verified.claim);
  if (verified.output) text += fmt::format("  output   {} of {}\n", *verified.output, run.outputs.size());
  if (verified.expected)
    text += fmt::format("  {} {}\n", run.returned.empty() ? "model   " : "replayed",
                        bits_text(run.formats().result, *verified.expected));
  if (!run.rows || verified.output)
    text += fmt::format("  captured {}\n", bits_text(run.formats().result, run.rows ? verified.captured : run.bits));
  if (!verified.problem.empty()) text += "  " + verified.problem + "\n";
  return text;
}

std::string entries_text(std::string_view what, const std::vector<CaptureEntry>& entries) {
  std::string text;
  for (const CaptureEntry& entry : entries) text += fmt::format("{} {} = {}\n", what, entry.name, entry.value);
  return text;
}

std::string verify_conclusion(const VerifiedCapture& capture, bool color) {
  const std::uint64_t mismatches = capture.mismatches();
  if (mismatches > 0)
    return bold(fmt::format("{} of {} runs do not match the claim of their kernel", mismatches, capture.runs.size()),
                color);
  if (capture.partial()) return "stopped before every run was checked";
  return fmt::format("all {} runs match the claim of their kernel", capture.runs.size());
}

std::string capture_text(const VerifiedCapture& one, bool color) {
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
  std::string text = bold(printable(one.file), color) + "\n" + entries_text("fact", one.capture.facts) +
                     entries_text("probe", one.capture.probes) + "\n" + table.text(color);
  std::uint64_t shown = 0;
  for (std::size_t i = 0; i < one.runs.size() && shown < kMostShown; ++i)
    if (one.runs[i].mismatch) {
      text += "\n" + difference(one.file, one.capture.runs[i], one.runs[i]);
      ++shown;
    }
  if (shown < one.mismatches()) text += fmt::format("\nand {} more; --csv lists every run\n", one.mismatches() - shown);
  return text + "\n" + verify_conclusion(one, color) + "\n";
}

}  // namespace

std::string to_text(const VerifyFinding& finding, const TextStyle& style) {
  std::string text;
  for (const VerifiedCapture& one : finding.captures)
    text += (text.empty() ? "" : "\n") + capture_text(one, style.color);
  if (finding.partial) text += "\nstopped before all captures were checked\n";
  return text;
}

}  // namespace orderlab
