#include <fmt/format.h>

#include "operation/exact_rows.hpp"
#include "show/input_text.hpp"
#include "show/sum_operation.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kShownOutputs = 16;

}  // namespace

std::string to_text(const study::OperationSumFinding& finding, const TextStyle& style) {
  const study::OperationFacts& input = finding.input;
  std::string head = operation_head(input, style.color);
  if (!finding.arrival.empty()) head += fmt::format("units arrive by {}\n", finding.arrival);
  std::string text = wrapped(head, style.width) + "\n";
  const Format format = finding.results.format();
  const std::size_t shown = std::min(finding.results.size(), kShownOutputs);
  Table table({{"output"}, {"result"}, {"bits", Align::left}, {"exact"}, {"error, ulp"}});
  for (std::size_t r = 0; r < shown; ++r) {
    const double value = finding.results.view().left(r);
    table.add({index_text(input.shape, r), number(value, 9), bits_text(format, round_to_bits(format, value)),
               number(finding.exact->high[r], 9), number(ulp_error(*finding.exact, r, value), 3)});
  }
  text += table.text(style.color);
  if (shown < finding.results.size())
    text +=
        fmt::format("and {} more; --csv or --npy FILE writes all\n", plural(finding.results.size() - shown, "output"));
  text += fmt::format("\n{} of {} not the exact sum rounded to nearest", finding.not_nearest,
                      finding.results.size() == 1 ? "1 output is" : plural(input.outputs, "output") + " are");
  if (finding.farthest)
    text += fmt::format("; the largest error is {} ulp, of output {}", number(finding.largest_error, 3),
                        index_text(input.shape, *finding.farthest));
  text += ".\n";
  if (finding.nonfinite > 0)
    text += fmt::format("{} of {} infinite or NaN.\n", finding.nonfinite,
                        finding.results.size() == 1 ? "1 output is" : plural(input.outputs, "output") + " are");
  return text + fmt::format("hash of the results: {}\n", finding.results.hash());
}

}  // namespace orderlab
