#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/float_environment.hpp"
#include "orderlab/format.hpp"
#include "show/crosscheck.hpp"
#include "show/crosscheck_words.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"

namespace orderlab {

std::string shape_text(const LaunchShape& shape) {
  return fmt::format("{} threads, items={}, grid={}", shape.threads, shape.items,
                     shape.grid == 0 ? "full" : std::to_string(shape.grid));
}

namespace {

constexpr std::size_t kShownSizes = 8;
constexpr std::uint64_t kMostShownSteps = 1'000'000;  // steps say nothing of numbers farther apart

// Bits and the number.
std::string sum_text(Format format, const std::optional<std::uint64_t>& bits) {
  if (!bits) return "nothing";
  return bits_text(format, *bits) + "  " + number_of(format, value_of_bits(format, *bits));
}

std::string distance_text(Format format, const Mismatch& m) {
  if (!m.expected || !m.got) return {};
  const double model = value_of_bits(format, *m.expected);
  const double value = value_of_bits(format, *m.got);
  if (!std::isfinite(model) || !std::isfinite(value)) return {};
  if (model == value) return ", the other zero";
  const std::string_view side = value > model ? "above" : "below";
  const std::uint64_t steps = ulp_distance(format, *m.expected, *m.got);
  return steps <= kMostShownSteps ? fmt::format(", {} {}", steps_in_words(steps), side)
                                  : fmt::format(", {:.3g} {}", std::fabs(value - model), side);
}

std::string_view words_of(MismatchKind kind) {
  static constexpr std::string_view kWords[] = {"another order",
                                                "outside every order's bound: a term lost or counted twice",
                                                "other bits",
                                                "float atomics that are not the claim's",
                                                "float atomics that no order explains",
                                                "the run failed"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string launch_text(const KernelInfo& kernel, const LaunchShape& shape) {
  return kernel.runs == Runs::instruction ? plural(shape.threads, "sum") + " at once" : shape_text(shape);
}

std::string difference(const CrossCheckRow& row, const Mismatch& m) {
  const Format result = row.formats.result;
  std::string text =
      fmt::format("{} on {}, {}, n={}, {}, terms {} seed {}, arrival sample {}\n", row.kernel->name, row.device,
                  to_string(row.formats), m.n, launch_text(*row.kernel, m.shape), m.terms, m.seed, m.sample);
  if (m.output) text += fmt::format("  output {}\n", *m.output);
  if (!m.problem.empty()) return text + "  " + m.problem + "\n";
  text += fmt::format("  claim  {}\n  model  {}\n  {:6} {}{}\n", m.claim, sum_text(result, m.expected), row.device,
                      sum_text(result, m.got), distance_text(result, m));
  return m.basis.empty() ? text : text + fmt::format("  {} ({})\n", words_of(m.kind), m.basis);
}

std::string sizes_that_differ(const CrossCheckRow& row) {
  std::vector<std::size_t> sizes;
  for (const auto& [n, covered] : row.sizes)
    if (covered.mismatches != 0) sizes.push_back(n);
  std::string text = fmt::format("  at {} of {}: ", sizes.size(), plural(row.sizes.size(), "size"));
  const std::size_t shown = std::min(sizes.size(), kShownSizes);
  text += fmt::format("{}", fmt::join(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return text + (shown < sizes.size() ? ", ...\n" : "\n");
}

std::string shapes_that_differ(const CrossCheckRow& row) {
  if (row.shapes.size() < 2) return {};
  std::vector<std::string> shapes;
  for (std::size_t i = 0; i < row.shapes.size(); ++i)
    if (row.shapes[i].mismatches != 0) shapes.push_back(launch_text(*row.kernel, row.kernel->shapes[i]));
  if (shapes.size() == row.shapes.size()) return fmt::format("  in all {} launch shapes\n", shapes.size());
  return fmt::format("  in {} of {} launch shapes: {}\n", shapes.size(), row.shapes.size(), fmt::join(shapes, "; "));
}

}  // namespace

std::string first_difference(const CrossCheckRow& row) {
  const FloatEnvironment environment;
  return row.first ? difference(row, *row.first) : "";
}

std::string differences(const CrossCheckRow& row) {
  const FloatEnvironment environment;
  if (!row.first) return {};
  std::string text = fmt::format("{} on {}, {}: {} of {} cases differ\n", row.kernel->name, row.device,
                                 to_string(row.formats), row.mismatches, row.cases);
  text += sizes_that_differ(row) + shapes_that_differ(row);
  const bool loses = std::any_of(row.kinds.begin(), row.kinds.end(),
                                 [](const auto& kind) { return kind.kind == MismatchKind::outside_bound; });
  for (const MismatchesOfKind& kind : row.kinds) {
    const bool either = loses && kind.kind == MismatchKind::another_order;
    text += fmt::format("  {} of them: {}{}\n", kind.count, words_of(kind.kind),
                        either ? ", or a term lost that is too small to tell" : "");
  }
  for (const MismatchesOfKind& kind : row.kinds) text += difference(row, kind.first);
  return text;
}

namespace {

std::vector<const KernelInfo*> kernels_of(const std::vector<CrossCheckRow>& rows) {
  std::vector<const KernelInfo*> kernels;
  for (const CrossCheckRow& row : rows)
    if (std::find(kernels.begin(), kernels.end(), row.kernel) == kernels.end()) kernels.push_back(row.kernel);
  return kernels;
}

std::string formats_of(const std::vector<CrossCheckRow>& rows, const KernelInfo& kernel) {
  std::vector<std::string> formats;
  for (const CrossCheckRow& row : rows)
    if (row.kernel == &kernel && std::find(formats.begin(), formats.end(), to_string(row.formats)) == formats.end())
      formats.push_back(to_string(row.formats));
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
  if (mismatches == 0 && kernel.claim == nullptr && kernel.outputs == nullptr) return fmt::format("{} no claim", cases);
  return mismatches == 0 ? fmt::format("{} identical", cases) : fmt::format("{} of {} DIFFER", mismatches, cases);
}

std::string closing_lines(const study::CrossCheckFinding& finding) {
  const CrossCheckOptions& options = finding.options;
  const auto [least, greatest] = std::minmax_element(options.sizes.begin(), options.sizes.end());
  const std::string sizes = options.sizes.size() == 1
                                ? fmt::format("{} terms", *least)
                                : fmt::format("{} sizes from {} to {} terms", options.sizes.size(), *least, *greatest);
  const std::uint64_t mismatches = finding.checks.mismatches();
  std::uint64_t replays = 0;
  std::uint64_t of_outputs = 0;  // replays of outputs, where there are many
  std::uint64_t unit_orders = 0;
  for (const CrossCheckRow& row : finding.checks.rows) {
    replays += row.replays;
    unit_orders += row.unit_orders;
    if (row.kernel->outputs != nullptr) of_outputs += row.replays;
  }
  std::string text = fmt::format("{}, each in every launch shape with {} seeds: {} cases{}\n", sizes, options.seeds,
                                 finding.cases(), finding.checks.partial ? " until it was stopped" : "");
  if (replays != 0) text += fmt::format("{} sums were replayed from what their float atomics returned\n", replays);
  if (of_outputs != 0)
    text += fmt::format(
        "{} of them are of kernels with many outputs, each output replayed; in {} of those one arrival "
        "order of the launch map's units explains all outputs\n",
        of_outputs, unit_orders);
  if (mismatches != 0)
    return text + fmt::format("{} sums differ from their claim{}\n", mismatches,
                              finding.checks.partial ? "; stopped before all cases were run" : "");
  if (finding.checks.partial) return text + "stopped before all cases were run; none so far differs from its claim\n";
  if (std::none_of(finding.checks.rows.begin(), finding.checks.rows.end(), claims))
    return text + "no kernel has a claim\n";
  return text + "every sum is bit-identical to its claim\n";
}

std::string skipped_kernels(const study::CrossCheckFinding& finding) {
  if (finding.skipped.empty()) return {};
  const std::size_t checked = kernels_of(finding.checks.rows).size();
  return fmt::format("{}\n{} of {} skipped\n", fmt::join(finding.skipped, "\n"), finding.skipped.size(),
                     plural(finding.skipped.size() + checked, "kernel"));
}

// What a column does not show, where it could be taken for more.
std::string about_model(const study::CrossCheckFinding& finding) {
  const auto has = [&](std::string_view device) {
    return std::find(finding.devices.begin(), finding.devices.end(), device) != finding.devices.end();
  };
  if (!has("model")) return {};
  std::string text = "\nmodel: the tree of the claim against its pipeline; no kernel runs there\n";
  for (const CrossCheckRow& row : finding.checks.rows)
    if (row.kernel->runs == Runs::gpu_only && !has("cuda"))
      return text + "the libraries' kernels run on a GPU only; this run used none\n";
  return text;
}

}  // namespace

std::string to_text(const study::CrossCheckFinding& finding, const TextStyle& style) {
  if (finding.runtimes) return runtimes_text(*finding.runtimes, style);
  const std::vector<CrossCheckRow>& rows = finding.checks.rows;
  std::vector<Column> columns{{"kernel", Align::left}, {"formats", Align::left}};
  for (const std::string& device : finding.devices) columns.push_back({device, Align::left});
  Table table(columns);
  for (const KernelInfo* kernel : kernels_of(rows)) {
    Table::Row cells{std::string(kernel->name), formats_of(rows, *kernel)};
    for (const std::string& device : finding.devices) cells.push_back(verdict(rows, *kernel, device));
    table.add(cells);
  }
  std::string found;
  for (const CrossCheckRow& row : rows)
    if (row.first || !row.seen.empty()) found += "\n" + (row.seen.empty() ? differences(row) : summary(row));
  std::string warnings;
  for (const std::string& warning : finding.checks.warnings) warnings += "warning: " + warning + ".\n";
  return table.text(style.color) + about_model(finding) + found + "\n" + closing_lines(finding) + warnings +
         skipped_kernels(finding);
}

}  // namespace orderlab
