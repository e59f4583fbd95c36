#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "show/check_difference.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/tolerance_words.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::DifferenceFinding;
using study::DifferenceReason;
using study::DifferenceVerdict;

std::string drawn_differences(const DifferenceFinding& finding) {
  if (finding.fixed)
    return finding.largest
               ? fmt::format("Both orders are fixed: their results differ by {}.\n", number(finding.largest))
               : "Both orders are fixed, and one of their results is inf or NaN.\n";
  std::string text =
      fmt::format("{} {} of samples at confidence {}", finding.partial ? "Interrupted after" : "Judged by",
                  plural(finding.samples, "pair"), number(finding.confidence, 10));
  if (finding.largest)
    text += fmt::format(": differences up to {}, rms {}", number(finding.largest), number(finding.rms));
  if (finding.nonfinite > 0) text += fmt::format("; {} of them with inf or NaN", finding.nonfinite);
  text += ".\n";
  if (finding.reach)
    text += fmt::format("With other arrival orders (launch order, reversed, sorted, fitted models): up to {}.\n",
                        number(finding.reach));
  return text + "Bounds on both errors together, for every order: " +
         (finding.bound ? number(finding.bound) : std::string("none derived")) + ".\n";
}

std::string reason_in_words(const DifferenceFinding& finding, const DifferenceVerdict& d) {
  const auto times = [&](std::optional<double> of) {
    return of && *of > 0 ? number(d.given.least / *of, 3) + " times the largest difference of " : "larger than any of ";
  };
  const std::string samples = plural(finding.samples, "pair") + " of samples";
  switch (d.reason) {
    case DifferenceReason::inside_range:
      if (finding.fixed) return "the two results differ by this much";
      return fmt::format("{} of {} differ by as much or more", d.as_large, samples);
    case DifferenceReason::inside_reach:
      return "more than all samples differ by, and less than sums of the other arrival orders do";
    case DifferenceReason::outside_bound:
      return "larger than the bounds on both errors together, so no order gives it";
    case DifferenceReason::one_pair:
      return "these orders are fixed, and their results differ by " + number(finding.largest);
    case DifferenceReason::not_finite:
      return finding.fixed ? "one of the two results is inf or NaN" : "every pair of samples has inf or NaN";
    default:
      break;
  }
  const std::string why = d.reason == DifferenceReason::beyond_range ? "inside the bounds" : "not ruled out by a bound";
  const std::string base = times(finding.reach ? finding.reach : finding.largest) + samples +
                           (finding.reach ? " and of the other orders" : "") + ", " + why;
  if (d.verdict == Verdict::none) return base + "; interrupted before the samples that would decide";
  return base + fmt::format("; p = {}{}", number(finding.p, 2),
                            finding.arranged && !finding.arrivals_known ? " if arrivals are uniform" : "");
}

std::string difference_lines(const DifferenceFinding& finding, bool color) {
  std::vector<const DifferenceVerdict*> sorted;
  for (const DifferenceVerdict& d : finding.differences) sorted.push_back(&d);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const DifferenceVerdict* a, const DifferenceVerdict* b) { return a->verdict > b->verdict; });
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), kShown); ++i)
    text += fmt::format("{} {}: {}\n", bold(name_of(sorted[i]->verdict), color), shortest(sorted[i]->given.value),
                        reason_in_words(finding, *sorted[i]));
  if (sorted.size() > kShown) text += fmt::format("... and {} more; --csv lists all\n", sorted.size() - kShown);
  return text;
}

std::string conclusion(const DifferenceFinding& finding) {
  const std::string what = finding.differences.size() == 1 ? "this difference" : "all of these differences";
  switch (finding.verdict()) {
    case Verdict::explained:
      return "EXPLAINED: the two orders alone give " + what + ".";
    case Verdict::impossible:
      return finding.fixed ? "NOT EXPLAINED: these two orders do not give it. Another order or format may have, other "
                             "terms, or a bug."
                           : "NOT EXPLAINED: no arrival order gives a difference so large. Another order or format may "
                             "have given it, other terms, or a bug.";
    case Verdict::none:
      return "No verdict: interrupted before the samples that would decide.";
    default:
      return "NOT EXPLAINED: results of these orders do not differ by so much, which does not prove that they cannot. "
             "Suspect a bug or a race, or another order.";
  }
}

}  // namespace

std::string to_text(const DifferenceFinding& finding, const TextStyle& style) {
  std::string text = head_lines(finding.name, finding.asked.expression, finding.input, style.color) +
                     against_line(finding.other, finding.input) + drawn_differences(finding) + "\n" +
                     difference_lines(finding, style.color) + "\n" + conclusion(finding) + "\n";
  for (const std::string& warning : finding.warnings) text += "warning: " + warning + ".\n";
  for (const std::string& warning : finding.other.warnings) text += "warning: the other order: " + warning + ".\n";
  return wrapped(text, style.width);
}

}  // namespace orderlab
