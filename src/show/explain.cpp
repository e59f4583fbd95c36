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

std::string answer_text(const study::ExplainFinding& finding) {
  std::uint64_t vary = 0;
  for (const study::OutputReason& reason : finding.reasons)
    if (reason.varies) vary += reason.outputs;
  const std::uint64_t outputs = finding.input.outputs;
  if (vary == 0) return fmt::format("No run changes any of the {}.\n", plural(outputs, "output"));
  return fmt::format(
      "{} of {} ({}) can differ from run to run; `orderlab sample` with the same flags says by how much.\n", vary,
      plural(outputs, "output"), share_of_outputs(vary, outputs));
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
  if (!finding.batches.empty())
    text += "\n" + batches_text(finding.input, finding.batches, style);
  else
    text += "\n" + wrapped(answer_text(finding), style.width);
  return text;
}

}  // namespace orderlab
