#include "report/crosscheck_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/table.hpp"

namespace orderlab {

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

}  // namespace

std::string to_text(const CrossCheckSummary& summary, const TextStyle& style) {
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
  const std::uint64_t mismatches = summary.report.mismatches();
  const auto [least, greatest] = std::minmax_element(summary.options.sizes.begin(), summary.options.sizes.end());
  return table.text(style.color) + differences +
         fmt::format("\n{} cases ({} sizes from {} to {}, {} seeds) in {:.1f} s: {}{}\n", summary.cases(),
                     summary.options.sizes.size(), *least, *greatest, summary.options.seeds, summary.seconds,
                     mismatches == 0 ? "every sum is bit-identical to its claim"
                                     : fmt::format("{} differ from their claim", mismatches),
                     summary.report.partial ? "; stopped before all were run" : "");
}

}  // namespace orderlab
