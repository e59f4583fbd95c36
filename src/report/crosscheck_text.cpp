#include "report/crosscheck_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

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

}  // namespace

std::string first_difference(const CrossCheckRow& row) {
  if (!row.first) return {};
  const Mismatch& m = *row.first;
  std::string text =
      fmt::format("{} on {}, {}, n={}, {}, terms {} seed {}, arrival sample {}\n", row.kernel->name, row.device,
                  info(row.format).name, m.n, shape_text(m.shape), m.terms, m.seed, m.sample);
  if (!m.problem.empty()) return text + "  " + m.problem + "\n";
  return text + fmt::format("  claim  {}\n  model  {}\n  {:6} {}\n", m.claim, bits_or_none(row.format, m.expected),
                            row.device, bits_or_none(row.format, m.got));
}

namespace {

std::vector<const KernelInfo*> kernels_of(const std::vector<CrossCheckRow>& rows) {
  std::vector<const KernelInfo*> kernels;
  for (const CrossCheckRow& row : rows)
    if (std::find(kernels.begin(), kernels.end(), row.kernel) == kernels.end()) kernels.push_back(row.kernel);
  return kernels;
}

std::string formats_of(const std::vector<CrossCheckRow>& rows, const KernelInfo& kernel) {
  std::vector<std::string_view> formats;
  for (const CrossCheckRow& row : rows)
    if (row.kernel == &kernel && std::find(formats.begin(), formats.end(), info(row.format).name) == formats.end())
      formats.push_back(info(row.format).name);
  return fmt::format("{}", fmt::join(formats, " "));
}

// Over all formats of the kernel on the device.
std::string verdict(const std::vector<CrossCheckRow>& rows, const KernelInfo& kernel, std::string_view device) {
  std::uint64_t cases = 0;
  std::uint64_t mismatches = 0;
  for (const CrossCheckRow& row : rows) {
    if (row.kernel != &kernel || row.device != device) continue;
    cases += row.cases;
    mismatches += row.mismatches;
  }
  if (cases == 0) return "-";
  return mismatches == 0 ? fmt::format("{} identical", cases) : fmt::format("{} of {} DIFFER", mismatches, cases);
}

std::string closing_lines(const CrossCheckSummary& summary) {
  const CrossCheckOptions& options = summary.options;
  const auto [least, greatest] = std::minmax_element(options.sizes.begin(), options.sizes.end());
  const std::string sizes = options.sizes.size() == 1
                                ? fmt::format("{} terms", *least)
                                : fmt::format("{} sizes from {} to {} terms", options.sizes.size(), *least, *greatest);
  const std::uint64_t mismatches = summary.report.mismatches();
  std::uint64_t replays = 0;
  for (const CrossCheckRow& row : summary.report.rows) replays += row.replays;
  std::string text = fmt::format("{}, {} seeds, {} cases\n", sizes, options.seeds, summary.cases());
  if (replays != 0) text += fmt::format("{} sums were replayed from what their float atomics returned\n", replays);
  if (mismatches != 0) return text + fmt::format("{} sums differ from their claim\n", mismatches);
  if (summary.report.partial) return text + "stopped before all cases were run; none so far differs from its claim\n";
  return text + "every sum is bit-identical to its claim\n";
}

// What a column does not show, where it could be taken for more.
std::string about_model(const CrossCheckSummary& summary) {
  const auto has = [&](std::string_view device) {
    return std::find(summary.devices.begin(), summary.devices.end(), device) != summary.devices.end();
  };
  if (!has("model")) return {};
  std::string text = "\nmodel: the tree of the claim against its pipeline; no kernel runs there\n";
  for (const CrossCheckRow& row : summary.report.rows)
    if (row.kernel->runs == Runs::gpu_only && !has("cuda"))
      return text + "the libraries' kernels run on a GPU only; this run used none\n";
  return text;
}

}  // namespace

std::string to_text(const CrossCheckSummary& summary, const TextStyle& style) {
  const std::vector<CrossCheckRow>& rows = summary.report.rows;
  std::vector<Column> columns{{"kernel", Align::left}, {"formats", Align::left}};
  for (const std::string& device : summary.devices) columns.push_back({device, Align::left});
  Table table(columns);
  for (const KernelInfo* kernel : kernels_of(rows)) {
    Table::Row cells{std::string(kernel->name), formats_of(rows, *kernel)};
    for (const std::string& device : summary.devices) cells.push_back(verdict(rows, *kernel, device));
    table.add(cells);
  }
  std::string differences;
  for (const CrossCheckRow& row : rows)
    if (row.first) differences += "\n" + first_difference(row);
  return table.text(style.color) + about_model(summary) + differences + "\n" + closing_lines(summary);
}

}  // namespace orderlab
