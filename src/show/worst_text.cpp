#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "show/fields_text.hpp"
#include "show/input_text.hpp"
#include "show/shown_unit.hpp"
#include "show/tree_report.hpp"
#include "show/worst.hpp"
#include "show/worst_fields.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

// Orders of at most this many partial sums are printed.
constexpr std::size_t kShownSums = 16;

std::string error_text(const study::InputFacts& input, double value) {
  const auto error = worst_error(input, value);
  const ShownUnit unit(input);
  return number(error && unit.known() ? std::optional(unit.of(*error)) : std::nullopt);
}

std::string ends_table(const study::WorstFinding& report, const TextStyle& style) {
  using described::WorstRow;
  const std::vector<std::pair<std::string, WorstRow>> rows{{"least", {"least", report.input, report.least}},
                                                           {"greatest", {"greatest", report.input, report.greatest}}};
  return text_table(described::kWorstRow,
                    {"value", "bits", "error", "error_relative", "running_bound", "share_of_bound"}, rows,
                    ShownUnit(report.input), style);
}

std::string method_line(const study::WorstFinding& report) {
  const std::string sums = plural(report.partial_sums.size(), "partial sum");
  if (report.exact) return "Exact: no order gives a smaller or a greater result (" + sums + ").\n";
  return fmt::format(
      "Heuristic: the extremes found by a search over the orders of {} ({}). More extreme orders may exist, because "
      "finding the extremes is NP-hard. {}\n",
      sums, plural(report.evaluations, "evaluation"),
      report.reproducible ? "The same command gives the same results." : "Another run may give other results.");
}

std::string sampling_line(const study::WorstFinding& report) {
  const auto seen = report.sampled.extremes();
  if (!seen) return "";
  const auto range = [&](double a, double b) {
    return "[" + error_text(report.input, a) + ", " + error_text(report.input, b) + "] " +
           std::string(ShownUnit(report.input).name());
  };
  std::string line = fmt::format("{} give {}; the extremes are {}", plural(report.sampled.samples(), "random order"),
                                 range(seen->min, seen->max), range(report.least.value, report.greatest.value));
  if (const auto times = times_as_far(report))
    line += *times > 1 ? fmt::format(", {} times as far", number(times, 3)) : ", no farther";
  if (const auto others = report.sampled.samples() - report.sampled.finite(); others > 0)
    line += fmt::format("; {} of the samples gave inf or NaN", others);
  return line + ".\n";
}

std::string orders_text(const study::WorstFinding& report) {
  if (report.partial_sums.size() > kShownSums) return "";
  std::string text = report.fused ? "\nproducts, rounded:" : "\npartial sums:";
  for (std::size_t i = 0; i < report.partial_sums.size(); ++i)
    text += fmt::format(" x{} = {:.{}g}{}", i, report.partial_sums[i], kShownDigits,
                        i + 1 < report.partial_sums.size() ? "," : "\n");
  for (const auto& [name, end] : {std::pair("least", &report.least), std::pair("greatest", &report.greatest)}) {
    text += std::string(name) + ":";
    if (end->tree) text += " " + tree_expression(*end->tree);
    for (const std::uint32_t i : end->order) text += fmt::format(" x{}", i);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const study::WorstFinding& report, const TextStyle& style) {
  const std::string head = head_lines(report.name, report.asked.expression, report.input, style.color);
  std::string text = wrapped(head, style.width) + "\n" + ends_table(report, style) + "\n";
  std::string lines = method_line(report);
  if (!report.coverage.empty()) lines += report.coverage + "\n";
  lines += sampling_line(report) + "D1 is the running error bound of the order in its row.\n";
  text += wrapped(lines + orders_text(report), style.width);
  for (const std::string& note : report.notes) text += note + "\n";
  if (report.partial)
    text += report.exact ? "interrupted: not all of the random orders beside the extremes were drawn\n"
                         : "interrupted: these are the extremes found so far\n";
  return text;
}

}  // namespace orderlab
