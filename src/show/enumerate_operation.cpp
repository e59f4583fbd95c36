// What the outputs of an operation can be.
#include <fmt/format.h>

#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/operation_outcomes.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string expectation(double low, double high) {
  return low == high ? fmt::format("{}, exactly", number(low, 8))
                     : fmt::format("from {} to {}", number(low, 8), number(high, 8));
}

std::string place_of_output(const study::OperationFacts& input, std::uint64_t r) {
  return "[" + index_text(input.shape, r) + "]";
}

}  // namespace

std::string to_text(const study::OperationEnumerateFinding& finding, const TextStyle& style) {
  const study::OperationFacts& input = finding.input;
  std::string head = operation_head(input, style.color);
  head += finding.sums->operation().draws_alike
              ? "all orders that a run may draw, equally likely\n"
              : fmt::format("all orders in which {} arrive, equally likely\n", plural(input.units, "unit"));
  head += fmt::format("baseline: {}: {}\n", study::name_of(finding.baseline), finding.baseline_addition);
  std::string text = wrapped(head, style.width) + "\n";
  text += bins_table("results of an output", finding.by_results, "", 1, input.outputs, style) + "\n";
  std::string lines = fmt::format("Mean of Vc, the share of outputs that differ from the baseline: {}.\n",
                                  expectation(finding.vc_low, finding.vc_high));
  lines +=
      fmt::format("The same against launch order: {}.\n", expectation(finding.vc_order_low, finding.vc_order_high));
  if (finding.not_enumerated > 0)
    lines +=
        fmt::format("{} not enumerated, the first {}: too many units for all orders.\n",
                    plural(finding.not_enumerated, "output"), place_of_output(input, finding.first_not_enumerated));
  if (finding.several > 0) {
    lines += fmt::format("Most results: {} at {}. Largest movement: {} ulp at {}. Largest error: {} ulp at {}.\n",
                         finding.most_results, place_of_output(input, finding.most_results_output),
                         number(finding.largest_movement), place_of_output(input, finding.largest_movement_output),
                         number(finding.largest_error), place_of_output(input, finding.largest_error_output));
  }
  text += wrapped(lines, style.width) + "\n";
  const std::string conclusion =
      fmt::format("{} of {} can have more than one result.", finding.several, plural(input.outputs, "output"));
  return text + wrapped(bold(conclusion, style.color) + "\n", style.width);
}

}  // namespace orderlab
