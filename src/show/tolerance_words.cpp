#include "show/tolerance_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "show/input_text.hpp"
#include "study/tolerance_words.hpp"

namespace orderlab {

std::string tolerance_percent(double fraction) { return fmt::format("{:.12g} %", 100 * fraction); }

std::string partial_in_words(std::uint64_t draws, std::uint64_t planned, double coverage, double reached) {
  std::string text = fmt::format("Interrupted after {} of {} draws; these suffice for ", draws, planned);
  return text +
         (reached < coverage ? tolerance_percent(reached) + " of runs instead of " + tolerance_percent(coverage)
                             : tolerance_percent(coverage) + " of runs") +
         ".\n";
}

std::string against_line(const study::ComparedOrder& other, const study::InputFacts& input) {
  return "against " + order_title(other.name, other.asked.expression) +
         (other.formats != input.formats ? ", in " + to_string(other.formats) : "") + "\n";
}

std::string why_no_rtol(const study::ToleranceFinding& finding) {
  if (!has_limit(finding)) return "no finite tolerance";
  if (std::isinf(finding.limit.relative))
    return finding.against == Against::exact ? "the reference can be 0" : "a result can be 0";
  if (finding.limit.relative >= 1)
    return fmt::format("{} is 1 or more, so even a result of 0 would pass: the sum cancels (condition number {})",
                       number(finding.limit.relative, 2), number(finding.condition, 3));
  return {};
}

std::string why_no_ulp(const study::ToleranceFinding& finding) {
  if (!has_limit(finding)) return "no finite tolerance";
  return std::isinf(finding.limit.ulp) ? "an exact sum of 0 has no ulp" : "";
}

std::string method_in_words(const study::ToleranceFinding& finding) {
  switch (finding.method) {
    case study::ToleranceMethod::one_order:
      return finding.other ? "the one result of each of two fixed orders" : "the one result of a fixed order";
    case study::ToleranceMethod::enumerated:
      return "exact enumeration of " + shortened(finding.orders) +
             (finding.other           ? " pairs of orders"
              : finding.orders == "1" ? " order"
                                      : " orders");
    default:
      return fmt::format("order statistic: the {} of {} independent {}{}", study::rank_in_words(finding.rank),
                         finding.draws, finding.against == Against::exact ? "orders" : "pairs of orders",
                         finding.new_inputs ? ", each on its own input" : "") +
             (finding.outputs == 1 ? ""
                                   : fmt::format("; the {:.10g} quantile of one output",
                                                 coverage_of_one(finding.reached, finding.outputs)));
  }
}

}  // namespace orderlab
