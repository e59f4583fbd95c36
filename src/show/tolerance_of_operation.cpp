#include "show/tolerance_of_operation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <variant>

#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/table.hpp"
#include "show/tolerance_lines.hpp"
#include "show/tolerance_operation_fields.hpp"
#include "show/tolerance_words.hpp"
#include "show/wrapped.hpp"
#include "study/tolerance_words.hpp"

namespace orderlab {

namespace {

std::string limit_text(const described::Field& measure, const study::OutputLimit& limit) {
  const double value = std::get<double>(*measure.get(&limit));
  return std::isfinite(value) ? rounded_up(value) : "none";
}

std::string tolerance_claim(const study::OperationToleranceFinding& finding) {
  std::string against = finding.against == Against::run ? "another run" : "exact results, rounded or not";
  for (std::size_t i = 0; i < finding.batches.size(); ++i)
    against += fmt::format("{}{}",
                           i == 0                            ? ", in batches of "
                           : i + 1 == finding.batches.size() ? " or "
                                                             : ", ",
                           finding.batches[i].batch);
  if (finding.varying == 0)
    return fmt::format("Tolerance for all outputs against {}; no arrival order changes any.\n", against);
  return fmt::format(
      "Tolerance for all outputs against {}: {:.12g} % of runs on this input pass, with confidence {:.12g} %; the {} "
      "of {} draws.\n",
      against, 100 * finding.reached, 100 * finding.confidence, study::rank_in_words(finding.rank), finding.draws);
}

}  // namespace

std::string line_to_paste(const study::OperationToleranceFinding& finding) {
  if (!has_limit(finding))
    return fmt::format("No finite tolerance: {} of the runs have outputs of inf or NaN.\n", number(finding.nonfinite));
  return fmt::format("torch.testing.assert_close(actual, expected, rtol={}, atol={})\n", number(finding.rtol),
                     rounded_up(finding.limit.beside_rtol));
}

std::string to_text(const study::OperationToleranceFinding& finding, const TextStyle& style) {
  std::string head = operation_head(finding.input, style.color);
  if (!finding.arrival.empty()) head += arrival_of_units(finding.input, finding.arrival);
  std::string text = wrapped(head, style.width) + "\n" + wrapped(tolerance_claim(finding), style.width) + "\n";
  Table table({{"", Align::left}, {"tolerance"}, {"largest drawn"}});
  for (const described::Field& measure : described::kOutputLimits.fields) {
    std::string words(measure.cell.title);
    if (measure.name == "atol_beside_rtol") words += fmt::format(" = {}", number(finding.rtol));
    table.add({std::move(words), limit_text(measure, finding.limit), limit_text(measure, finding.largest)});
  }
  text += table.text(style.color) + "\n";
  if (!finding.batches.empty()) text += batches_text(finding.input, finding.batches, style) + "\n";
  text += bold(line_to_paste(finding), style.color);
  return text +
         (finding.partial ? partial_in_words(finding.draws, finding.planned, finding.coverage, finding.reached) : "");
}

}  // namespace orderlab
