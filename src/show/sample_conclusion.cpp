#include "show/sample_conclusion.hpp"

#include <fmt/format.h>

#include <optional>

#include "show/input_text.hpp"
#include "show/shown_unit.hpp"

namespace orderlab {

namespace {

// "relative error 4.4e-15", or an error in u sum|x| where the exact sum is 0.
std::string error_in_words(const study::SampledOrder& order, const ShownUnit& unit) {
  if (const auto relative = order.metrics.of<ErrorSummary>().relative.max_abs)
    return "relative error " + number(relative, 2);
  const auto largest = unit.errors(order.metrics).max_abs;
  return fmt::format("error {} {}", number(largest, 2), unit.name());
}

std::string fixed_conclusion(const study::SampledOrder& order, const ShownUnit& unit) {
  const double result = order.counts.results().values[0].value;
  const auto error = unit.errors(order.metrics).max_abs;
  if (!error) return "A fixed order: every run gives " + number(result);
  const std::string sum = "A fixed order: every run gives this sum, ";
  if (*error == 0) return sum + "which is exact";
  const std::string distance = fmt::format("{} {} from the exact sum", number(error, 3), unit.name());
  return sum + distance + (unit.ulps() ? " (" + error_in_words(order, unit) + ")" : "");
}

// "; largest relative error 4.4e-15".
std::string errors_of_runs(const study::SampledOrder& order, const ShownUnit& unit, bool one_result) {
  const bool all_finite = order.counts.finite() == order.counts.samples();
  if (order.metrics.of<ErrorSummary>().ulp.max_abs == 0.0)
    return one_result ? ", which is exact" : all_finite ? "; all are exact" : "; the finite ones are exact";
  return (one_result ? "; " : "; largest ") + error_in_words(order, unit);
}

std::string random_conclusion(const study::SampledOrder& order, const ShownUnit& unit) {
  const ResultCounts& counts = order.counts;
  const std::string runs = plural(counts.samples(), "run") + " gave ";
  const bool one = !counts.binned() && counts.distinct() == 1;
  const std::string same = counts.samples() == 1 ? "one" : "the same";
  if (counts.finite() == 0)
    return runs + (one ? same + " result, " + number(counts.results().values[0].value)
                       : plural(counts.distinct(), "different result") + ", all inf or NaN");
  if (one) return runs + same + " sum" + errors_of_runs(order, unit, true);
  const auto least = unit.errors(order.metrics).min;
  const auto greatest = unit.errors(order.metrics).max;
  const std::string range = least && greatest && *greatest > *least
                                ? fmt::format(" over a range of {} {}", number(*greatest - *least, 3), unit.name())
                                : "";
  const std::string distinct =
      counts.binned() ? fmt::format("more than {}", counts.frame().max_distinct) : std::to_string(counts.distinct());
  return fmt::format("{}{} different sums{}{}", runs, distinct, range, errors_of_runs(order, unit, false));
}

// " The running sum stops growing at 256, after 256 of 4096 terms."; empty where it does not.
std::string stagnation_sentence(const study::SampledOrder& order, const study::InputFacts& input) {
  const auto& stagnation = order.metrics.of<StagnationSummary>();
  if (!stagnation.sum) return "";
  const std::uint64_t count = *stagnation.partial_sums;
  const std::string added = count < input.n ? "partial sum" : input.products ? "product" : "term";
  return fmt::format(" The running sum stops growing at {}, after {} of {}.", number(stagnation.sum, kShownDigits),
                     *stagnation.after, plural(count, added));
}

}  // namespace

std::string conclusion_of(const study::SampledOrder& order, const study::InputFacts& input) {
  const ShownUnit unit(input);
  std::string text = order.random ? random_conclusion(order, unit) : fixed_conclusion(order, unit);
  const std::uint64_t nonfinite = order.counts.samples() - order.counts.finite();
  if (order.random && nonfinite > 0 && order.counts.finite() > 0)
    text += fmt::format("; {} gave inf or NaN", plural(nonfinite, "run"));
  return text + "." + stagnation_sentence(order, input);
}

}  // namespace orderlab
