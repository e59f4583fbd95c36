#include "show/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string guarantee_in_words(Guarantee guarantee) {
  return guarantee == Guarantee::not_guaranteed ? "a run may differ from the next"
         : guarantee == Guarantee::run_to_run   ? "the same bits in every run on one machine"
                                                : "the same bits on every device";
}

std::string share_of_outputs(std::uint64_t count, std::uint64_t outputs) {
  return fmt::format("{:.2f} %", 100 * static_cast<double>(count) / static_cast<double>(outputs));
}

std::string lengths_text(const study::ExplainFinding& finding, const TextStyle& style) {
  constexpr std::size_t kMostLengths = 20;
  Table lengths({{"contributions"}, {"outputs"}, {"share"}});
  for (std::size_t i = 0; i < std::min(kMostLengths, finding.lengths.size()); ++i)
    lengths.add({std::to_string(finding.lengths[i].contributions), std::to_string(finding.lengths[i].outputs),
                 share_of_outputs(finding.lengths[i].outputs, finding.input.outputs)});
  std::string text = lengths.text(style.color);
  if (finding.lengths.size() > kMostLengths)
    text += fmt::format("and {} longer ones, up to {}\n", finding.lengths.size() - kMostLengths,
                        finding.lengths.back().contributions);
  return text;
}

/// One row for each size, and how each adds, where sizes differ in it.
std::string batches_text(const study::ExplainFinding& finding, const TextStyle& style) {
  const std::uint64_t columns = finding.input.shape.empty() ? 1 : finding.input.shape.back();
  const std::uint64_t rows = finding.input.outputs / std::max<std::uint64_t>(1, columns);
  Table table({{"batch"},
               {"kernel", Align::left},
               {"threads"},
               {"addition"},
               {"outputs that differ"},
               {"in rows"},
               {"why", Align::left}});
  std::vector<std::string> additions;
  for (const study::BatchSize& size : finding.batches) {
    auto found = std::find(additions.begin(), additions.end(), size.launch.addition);
    if (found == additions.end()) found = additions.insert(found, size.launch.addition);
    table.add({std::to_string(size.batch), size.launch.kernel,
               size.launch.threads_per_block == 0 ? "-" : std::to_string(size.launch.threads_per_block),
               fmt::format("({})", found - additions.begin() + 1), std::to_string(size.outputs_different),
               std::to_string(size.rows_different), size.launch.reason});
  }
  std::string text = fmt::format("\nthe same {} of {} in batches, compared with the first size:\n", plural(rows, "row"),
                                 plural(columns, "output")) +
                     table.text(style.color);
  std::string keys;
  for (std::size_t i = 0; i < additions.size(); ++i) keys += fmt::format("({}) {}\n", i + 1, additions[i]);
  return text + wrapped(keys, style.width);
}

}  // namespace

std::string to_text(const study::ExplainFinding& finding, const TextStyle& style) {
  const study::OperationFacts& input = finding.input;
  const Launch& launch = input.launch;
  std::string head = operation_head(input, style.color);
  head += fmt::format("source: {}\n", launch.source);
  if (!input.documented.empty()) head += fmt::format("documented: {}\n", input.documented);
  head += fmt::format("a check allows: {}\n", input.freedom);
  if (!input.assumes.empty()) head += fmt::format("the model assumes: {}\n", input.assumes);
  head += fmt::format("guarantee: {}\n", guarantee_in_words(launch.guarantee));
  if (!launch.unit.empty()) head += fmt::format("unit: {} ({})\n", launch.unit, plural(input.units, "unit"));
  if (!finding.deterministic.empty())
    head += fmt::format("deterministic form: {} ({})\n", finding.deterministic, finding.deterministic_source);
  std::string text = wrapped(head, style.width) + "\n";
  Table reasons({{"outputs", Align::left}, {"number"}, {"share"}});
  for (const study::OutputReason& reason : finding.reasons)
    reasons.add({reason.reason, std::to_string(reason.outputs), share_of_outputs(reason.outputs, input.outputs)});
  text += reasons.text(style.color) + "\n";
  if (!finding.lengths.empty()) text += lengths_text(finding, style);  // a scan's outputs are no rows
  if (!finding.batches.empty()) text += batches_text(finding, style);
  return text;
}

}  // namespace orderlab
