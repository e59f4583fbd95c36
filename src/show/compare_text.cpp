#include "show/compare.hpp"

#include <fmt/format.h>

#include <cmath>

#include "show/colors.hpp"
#include "show/compare_words.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::ComparedArm;
using study::CompareFinding;

/// "0.010" beside "0.0062".
std::string two_digits(double value) { return value > 0 ? fmt::format("{:#.2g}", value) : "0"; }

std::string table_text(const CompareFinding& finding, const TextStyle& style) {
  const double scale = scale_of(finding);
  Table table({{"", Align::left},
               {"runs"},
               {"mean"},
               {compare_confidence() + " of the mean"},
               {"sd"},
               {"min"},
               {"max"},
               {"best of k"}});
  const auto add = [&](const char* name, const ComparedArm& arm) {
    table.add({name, std::to_string(arm.scores.size()), to_scale(arm.mean, scale),
               arm.low ? interval_to_scale(finding, *arm.low, *arm.high) : "-", two_digits(arm.sd),
               to_scale(arm.least, scale), to_scale(arm.greatest, scale),
               fmt::format("{}{} (k = {})", finding.request.lower_is_better ? "-" : "+", two_digits(arm.best_gain),
                           arm.best_of)});
  };
  add("A", finding.a);
  add("B", finding.b);
  return table.text(style.color);
}

/// "131072"; "2^100" or "1.4e+29" where it is long.
std::string arrangements_in_words(const CompareFinding& finding) {
  constexpr double kReadable = 1e9;
  if (finding.arrangements < kReadable) return fmt::format("{:.0f}", finding.arrangements);
  if (finding.all_arrangements && finding.request.paired) return fmt::format("2^{}", finding.unequal_pairs);
  return std::isfinite(finding.arrangements) ? number(finding.arrangements, 3) : "2^1024 and more";
}

/// "sign flips: p = 0.049, exact over all 131072 choices of signs of the 17 pairs that differ".
std::string permutation_in_words(const CompareFinding& finding) {
  const bool paired = finding.request.paired;
  std::string text =
      fmt::format("{}: {}", paired ? "sign flips" : "permutation test", p_in_words(finding.p_permutation));
  if (paired && finding.unequal_pairs == 0) return text + ", as no pair differs";
  if (finding.all_arrangements)
    text += ", exact over all ";
  else
    text += fmt::format(" (standard error {}) over ", number(finding.permutation_error, 1));
  text += arrangements_in_words(finding) + (paired ? " choices of signs" : " splits");
  if (paired && finding.unequal_pairs < finding.a.scores.size())
    text += fmt::format(" of the {} that differ", plural(finding.unequal_pairs, "pair"));
  return text + (finding.all_arrangements ? "" : " drawn");
}

std::string test_lines(const CompareFinding& finding) {
  const double scale = scale_of(finding);
  const Lead lead(finding);
  std::string text = fmt::format("{} - {}: {}", lead.greater, lead.smaller, to_scale(lead.difference, scale));
  if (lead.low)
    text += fmt::format(" ({}: {}); {}: t = {} with {} degrees of freedom, {}", compare_confidence(),
                        interval_to_scale(finding, *lead.low, *lead.high),
                        finding.request.paired ? "paired t test" : "Welch's test", number(lead.sign * *finding.t, 3),
                        number(finding.degrees, 3), p_in_words(*finding.p));
  text += "; " + permutation_in_words(finding);
  if (finding.sd_difference) text += fmt::format("; sd of the differences {}", number(finding.sd_difference, 2));
  return text + ".\n";
}

}  // namespace

std::string to_text(const CompareFinding& finding, const TextStyle& style) {
  std::string head;
  if (!finding.a.source.empty()) head += "A: " + finding.a.source + "\n";
  if (!finding.b.source.empty()) head += "B: " + finding.b.source + "\n";
  head +=
      fmt::format("{}; {} scores are better{}\n",
                  finding.request.paired ? plural(finding.a.scores.size(), "pair") + " of runs" : "independent runs",
                  finding.request.lower_is_better ? "lower" : "higher",
                  finding.percent ? "; percentages are read as fractions: 93% as 0.93" : "");
  std::string text = wrapped(head, style.width) + "\n" + table_text(finding, style) + "\n";
  text += wrapped(test_lines(finding), style.width);
  for (const std::string& note : notes_of(finding)) text += wrapped(note + "\n", style.width);
  text += "\n";
  for (const std::string& sentence : decision_of(finding))
    text += wrapped(bold(sentence, style.color) + "\n", style.width);
  return text;
}

}  // namespace orderlab
