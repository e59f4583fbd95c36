#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "show/colors.hpp"
#include "show/histogram.hpp"
#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string inputs_line(const study::OperationFacts& input) {
  std::string line;
  if (!input.distribution.empty()) {
    line = "generated inputs, " + input.distribution;
    if (!input.input_shape.empty()) line += fmt::format(", shape {}", to_string(input.input_shape));
    if (input.ratio != 1) line += fmt::format(", R = {}", number(input.ratio));
  } else {
    line = "input " + to_string(input.input_shape);
    if (input.inexact_conversions > 0)
      line += fmt::format(", {} rounded on reading", plural(input.inexact_conversions, "number"));
  }
  return line + ", " + to_string(input.formats);
}

Table::Row differences_row(const std::string& title, const RunSummary& over) {
  return {title, number(over.mean), number(over.sd), number(over.min), number(over.median), number(over.max)};
}

std::string percent(double share) {
  return share != 0 && share < 1e-4 ? fmt::format("{} %", number(100 * share, 2))
                                    : fmt::format("{:.2f} %", 100 * share);
}

std::string sampled_table(const study::OperationSampleFinding& finding, const TextStyle& style) {
  Table table({{"", Align::left}, {"mean"}, {"sd"}, {"min"}, {"median"}, {"max"}});
  table.add(differences_row("Vc, share that differs", finding.vc));
  if (finding.baseline != study::OutputBaseline::launch)
    table.add(differences_row("  from launch order", finding.vc_order));
  table.add(differences_row("Vermv, |a-b| / |a|", finding.vermv_paper));
  table.add(differences_row("Vermv, |a-b| / sum|x|", finding.vermv_robust));
  table.add(differences_row("largest |a-b|, ulp", finding.largest_difference));
  table.add(differences_row("largest error, ulp", finding.largest_error));
  return table.text(style.color);
}

constexpr std::size_t kLongBar = 30;
constexpr std::size_t kShortBar = 6;

Table table_of_bins(const std::string& title, const std::vector<study::OutputBin>& bins, const std::string& unit,
                    double scale, std::uint64_t outputs, std::size_t bar) {
  Table table({{title, Align::left}, {"", Align::left}, {"outputs"}, {"share"}});
  for (const study::OutputBin& bin : bins) {
    if (bin.outputs == 0) continue;
    const double share = static_cast<double>(bin.outputs) / static_cast<double>(outputs);
    table.add({bin_label(bin, unit, scale),
               histogram_bar(static_cast<double>(bin.outputs), static_cast<double>(outputs), bar),
               std::to_string(bin.outputs), percent(share)});
  }
  return table;
}

/// How often outputs differ, and how far they move: beside each other where the width suffices, so that a report with
/// its conclusion fits on a screen.
std::string movement_tables(const study::OperationSampleFinding& finding, const TextStyle& style) {
  const auto tables = [&](std::size_t bar) {
    const std::uint64_t outputs = finding.input.outputs;
    return std::pair(table_of_bins("runs in which it differs", finding.by_frequency, " %", 100, outputs, bar),
                     table_of_bins("greatest - least", finding.by_movement, " ulp", 1, outputs, bar));
  };
  const auto [narrow_left, narrow_right] = tables(kShortBar);
  const std::size_t least = narrow_left.width() + kBetweenTables.size() + narrow_right.width();
  const auto width = static_cast<std::size_t>(style.width);
  if (least > width) {
    const auto [above, below] = tables(kLongBar);
    return above.text(style.color) + "\n" + below.text(style.color);
  }
  const auto [left, right] = tables(std::min(kLongBar, kShortBar + (width - least) / 2));
  return beside_each_other(left, right, style.color);
}

/// How differences grow along a line of outputs.
std::string places_table(const study::OperationSampleFinding& finding, const TextStyle& style) {
  Table table({{"from output", Align::left}, {"", Align::left}, {"Vc"}, {"median movement, ulp"}});
  for (const study::OutputPart& part : finding.by_place)
    table.add(
        {std::to_string(part.first), histogram_bar(part.vc, 1, kLongBar), percent(part.vc), number(part.movement, 3)});
  return table.text(style.color);
}

}  // namespace

std::string bin_label(const study::OutputBin& bin, const std::string& unit, double scale) {
  if (bin.low == bin.high) return number(scale * bin.high) + unit;
  if (std::isinf(bin.high)) return fmt::format("above {}{}", number(scale * bin.low), unit);
  return fmt::format("up to {}{}", number(scale * bin.high), unit);
}

std::string conclusion_of(const study::OperationSampleFinding& finding) {
  const std::string runs = plural(finding.samples, "run");
  if (finding.varying == 0)
    return finding.vc.mean == 0
               ? fmt::format("No arrival order changes any of the {}; they equal the baseline.",
                             plural(finding.input.outputs, "output"))
               : fmt::format(
                     "No arrival order changes any of the {}. {} differ from the baseline: that is the method, "
                     "not order.",
                     plural(finding.input.outputs, "output"), plural(finding.offset.bits, "output"));
  if (finding.vc.max == 0)
    return fmt::format("{} gave the same {} as the baseline, bit for bit.", runs,
                       plural(finding.input.outputs, "output"));
  return fmt::format(
      "{} gave {}; on average {} of the outputs differ from the baseline, by at most "
      "{} ulp.",
      runs, plural(finding.distinct, "different array"), percent(finding.vc.mean),
      number(finding.largest_difference.max, 3));
}

std::string method_and_order(const study::OperationSampleFinding& finding) {
  if (finding.baseline == study::OutputBaseline::launch || finding.baseline == study::OutputBaseline::run ||
      finding.offset.bits == 0)
    return {};
  return fmt::format(
      "Method and order: launch order already differs from the baseline in {} of the outputs; runs differ from launch "
      "order in {}.",
      percent(finding.offset_vc), percent(finding.vc_order.mean));
}

std::string bins_table(const std::string& title, const std::vector<study::OutputBin>& bins, const std::string& unit,
                       double scale, std::uint64_t outputs, const TextStyle& style) {
  return table_of_bins(title, bins, unit, scale, outputs, kLongBar).text(style.color);
}

std::string arrival_of_units(const study::OperationFacts& input, const std::string& arrival) {
  return fmt::format("{} {} in an order drawn from {}\n", plural(input.units, "unit"),
                     input.units == 1 ? "arrives" : "arrive", arrival);
}

std::string batches_text(const study::OperationFacts& input, const std::vector<study::BatchSize>& batches,
                         const TextStyle& style) {
  const std::uint64_t columns = input.shape.empty() ? 1 : input.shape.back();
  const std::uint64_t rows = input.outputs / std::max<std::uint64_t>(1, columns);
  Table table({{"batch"},
               {"kernel", Align::left},
               {"threads"},
               {"addition"},
               {"outputs that differ"},
               {"in rows"},
               {"by at most"},
               {"why", Align::left}});
  std::vector<std::string> additions;
  for (const study::BatchSize& size : batches) {
    auto found = std::find(additions.begin(), additions.end(), size.launch.addition);
    if (found == additions.end()) found = additions.insert(found, size.launch.addition);
    table.add({std::to_string(size.batch), size.launch.kernel,
               size.launch.threads_per_block == 0 ? "-" : std::to_string(size.launch.threads_per_block),
               fmt::format("({})", found - additions.begin() + 1), std::to_string(size.outputs_different),
               std::to_string(size.rows_different), number(size.largest_difference, 3), size.launch.reason});
  }
  std::string text = fmt::format("the same {} of {} in batches, compared with the first size:\n", plural(rows, "row"),
                                 plural(columns, "output")) +
                     table.text(style.color);
  std::string keys;
  for (std::size_t i = 0; i < additions.size(); ++i) keys += fmt::format("({}) {}\n", i + 1, additions[i]);
  return text + wrapped(keys, style.width);
}

std::string index_text(const Shape& shape, std::size_t r) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0; r /= shape[d])
    text = std::to_string(r % shape[d]) + (text.empty() ? "" : ",") + text;
  return text.empty() ? "0" : text;
}

std::string operation_head(const study::OperationFacts& input, bool color) {
  const Launch& launch = input.launch;
  std::string text = bold(input.operation, color) + ": " + launch.addition + "\n";
  text += inputs_line(input) + "\n";
  text += fmt::format("{} of {}\n", plural(input.outputs, "output"), plural(input.contributions, "contribution"));
  text += fmt::format("kernel {} ({})", launch.kernel, launch.reason);
  if (launch.threads_per_block > 0)
    text += fmt::format(": {} of {} threads, {}", plural(launch.grid, "thread block"), launch.threads_per_block,
                        launch.passes == 1 ? "1 pass" : fmt::format("{} passes", launch.passes));
  return text + "\n";
}

std::string to_text(const study::OperationSampleFinding& finding, const TextStyle& style) {
  std::string head = operation_head(finding.input, style.color);
  if (!finding.arrival.empty())
    head += arrival_of_units(finding.input, finding.arrival) + fmt::format("unit: {}\n", finding.input.launch.unit);
  head += fmt::format("{} of the outputs can vary with order\n",
                      percent(static_cast<double>(finding.varying) / static_cast<double>(finding.input.outputs)));
  head += fmt::format("baseline: {}: {}\n", study::name_of(finding.baseline), finding.baseline_addition);
  std::string text = wrapped(head, style.width) + "\n";
  if (finding.varying > 0) {
    text += sampled_table(finding, style) + "\n";
    text += movement_tables(finding, style) + "\n";
  }
  const bool line = finding.sums->operation().scan.has_value() && finding.input.shape.size() == 1;
  if (finding.varying > 0 && line && finding.by_place.size() > 1) text += places_table(finding, style) + "\n";
  std::string notes;
  if (line && finding.varying > 0 && finding.first_different)
    notes += fmt::format("First output that differs: {} at the earliest, {} in the median run.\n",
                         static_cast<std::uint64_t>(finding.first_different->min),
                         static_cast<std::uint64_t>(finding.first_different->median));
  if (finding.vc_expected)
    notes +=
        fmt::format("Exact mean of Vc over all arrival orders, equally likely: {}.\n", number(*finding.vc_expected, 6));
  if (const std::string said = method_and_order(finding); !said.empty()) notes += said + "\n";
  if (finding.nonfinite_exact > 0)
    notes += fmt::format("The exact result of {} is inf or NaN.\n", plural(finding.nonfinite_exact, "output"));
  if (finding.varying > 0)
    notes +=
        fmt::format("Probability that the next run gives an array not seen yet: {}.\n", number(finding.unseen_mass));
  if (!notes.empty()) text += wrapped(notes, style.width) + "\n";
  if (!finding.batches.empty()) text += batches_text(finding.input, finding.batches, style) + "\n";
  text += wrapped(bold(conclusion_of(finding), style.color) + "\n", style.width);
  return text + (finding.partial ? "interrupted: these are the samples that were drawn\n" : "");
}

}  // namespace orderlab
