#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "show/fields_text.hpp"
#include "show/input_text.hpp"
#include "show/shown_unit.hpp"
#include "show/tree.hpp"
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

std::string ends_table(const study::WorstFinding& finding, const TextStyle& style) {
  using described::WorstRow;
  const std::vector<std::pair<std::string, WorstRow>> rows{{"least", {"least", finding.input, finding.least}},
                                                           {"greatest", {"greatest", finding.input, finding.greatest}}};
  return text_table(described::kWorstRow,
                    {"value", "bits", "error", "error_relative", "running_bound", "share_of_bound"}, rows,
                    ShownUnit(finding.input), style);
}

std::string method_line(const study::WorstFinding& finding) {
  const std::string sums = plural(finding.partial_sums.size(), "partial sum");
  if (finding.exact) return "Exact: no order gives a smaller or a greater result (" + sums + ").\n";
  return fmt::format(
      "Heuristic: the extremes found by a search over the orders of {} ({}). More extreme orders may exist, because "
      "finding the extremes is NP-hard. {}\n",
      sums, plural(finding.evaluations, "evaluation"),
      finding.reproducible ? "The same command gives the same results." : "Another run may give other results.");
}

std::string sampling_line(const study::WorstFinding& finding) {
  const auto seen = finding.sampled.extremes();
  if (!seen) return "";
  const auto range = [&](double a, double b) {
    return "[" + error_text(finding.input, a) + ", " + error_text(finding.input, b) + "] " +
           std::string(ShownUnit(finding.input).name());
  };
  std::string line = fmt::format("{} give {}; the extremes are {}", plural(finding.sampled.samples(), "random order"),
                                 range(seen->min, seen->max), range(finding.least.value, finding.greatest.value));
  if (const auto times = times_as_far(finding))
    line += *times > 1 ? fmt::format(", {} times as far", number(times, 3)) : ", no farther";
  if (const auto others = finding.sampled.samples() - finding.sampled.finite(); others > 0)
    line += fmt::format("; {} of the samples gave inf or NaN", others);
  return line + ".\n";
}

std::string orders_text(const study::WorstFinding& finding) {
  if (finding.partial_sums.size() > kShownSums) return "";
  std::string text = finding.fused ? "\nproducts, rounded:" : "\npartial sums:";
  for (std::size_t i = 0; i < finding.partial_sums.size(); ++i)
    text += fmt::format(" x{} = {:.{}g}{}", i, finding.partial_sums[i], kShownDigits,
                        i + 1 < finding.partial_sums.size() ? "," : "\n");
  for (const auto& [name, end] : {std::pair("least", &finding.least), std::pair("greatest", &finding.greatest)}) {
    text += std::string(name) + ":";
    if (end->tree) text += " " + tree_expression(*end->tree);
    for (const std::uint32_t i : end->order) text += fmt::format(" x{}", i);
    text += "\n";
  }
  return text;
}

std::string answer_line(const study::WorstFinding& finding) {
  const std::string unit(ShownUnit(finding.input).name());
  return fmt::format(
      "{} between {} and {} {} from the exact sum.\n",
      finding.exact ? "Every order of these partial sums gives a result" : "The orders found reach results",
      error_text(finding.input, finding.least.value), error_text(finding.input, finding.greatest.value), unit);
}

}  // namespace

std::string to_text(const study::WorstFinding& finding, const TextStyle& style) {
  const std::string head = head_lines(finding.name, finding.asked.expression, finding.input, style.color);
  std::string text = wrapped(head, style.width) + "\n" + ends_table(finding, style) + "\n";
  std::string lines = method_line(finding);
  if (!finding.coverage.empty()) lines += finding.coverage + "\n";
  lines += sampling_line(finding) + "D1 is the running error bound of the order in its row.\n";
  text += wrapped(lines + orders_text(finding), style.width);
  for (const std::string& note : finding.notes) text += note + "\n";
  text += "\n" + wrapped(answer_line(finding), style.width);
  if (finding.partial)
    text += finding.exact ? "interrupted: not all of the random orders beside the extremes were drawn\n"
                          : "interrupted: these are the extremes found so far\n";
  return text;
}

}  // namespace orderlab
