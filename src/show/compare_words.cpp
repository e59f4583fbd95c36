#include "show/compare_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "show/input_text.hpp"

namespace orderlab {

using study::ComparedArm;
using study::CompareFinding;

namespace {

using study::PowerPlan;

std::string test_name(const CompareFinding& finding) { return finding.request.paired ? "paired t" : "Welch"; }

std::string units(const CompareFinding& finding, std::uint64_t count) {
  return finding.request.paired ? plural(count, "pair") : plural(count, "run") + " of each";
}

/// "With 4 runs of each, a difference of 0.012 would be detected in 60 % of studies; with 23 runs of each in 80 % (12
/// to 80 runs by the 95 % interval of the sd)."
std::string plan_sentence(const CompareFinding& finding) {
  const PowerPlan& plan = *finding.plan;
  const std::uint64_t a = finding.a.scores.size();
  const std::uint64_t b = finding.b.scores.size();
  std::string text =
      fmt::format("With {}, a difference of {} would be detected in {} % of studies; ",
                  finding.request.paired || a == b ? units(finding, a) : fmt::format("{} runs of A and {} of B", a, b),
                  number(plan.difference, 3), number(100 * plan.power_now, 2));
  const std::string wanted = number(100 * finding.request.power);
  if (!plan.runs) return text + fmt::format("no number of runs below 2^53 reaches {} %.", wanted);
  text += fmt::format("with {} in {} %", units(finding, *plan.runs), wanted);
  if (plan.runs_low && plan.runs_high && *plan.runs_low < *plan.runs_high)
    text += fmt::format(" ({} to {} {} by the {} interval of the sd)", *plan.runs_low, *plan.runs_high,
                        finding.request.paired ? "pairs" : "runs", compare_confidence());
  return text + ".";
}

std::string no_spread_sentence(const CompareFinding& finding) {
  if (finding.request.paired)
    return "All pairs have the same difference, so there is no standard deviation to test it by: no interval, no "
           "planned runs.";
  return "All scores of A are equal, and all of B, so there is no standard deviation to test by: no interval, no "
         "planned runs.";
}

std::string lead_in_words(const CompareFinding& finding, const Lead& lead) {
  if (!lead.low) return to_scale(lead.difference, scale_of(finding));
  return fmt::format("{} ({}: {})", to_scale(lead.difference, scale_of(finding)), compare_confidence(),
                     interval_to_scale(finding, *lead.low, *lead.high));
}

std::string p_values(const CompareFinding& finding) {
  const std::string permutation = p_in_words(finding.p_permutation) + " by permutation";
  return finding.p ? fmt::format("{} ({}), {}", p_in_words(*finding.p), test_name(finding), permutation) : permutation;
}

/// Least p that the permutation test can have.
double least_permutation_p(const CompareFinding& finding) {
  const double all = finding.arrangements;
  if (!finding.all_arrangements) return 1 / (all + 1);
  const bool mirrored = finding.request.paired || finding.a.scores.size() == finding.b.scores.size();
  return (mirrored ? 2 : 1) / all;
}

/// Where the tests disagree.
std::string disagreement(const CompareFinding& finding) {
  if (!finding.p || (*finding.p < study::kCompareLevel) == (finding.p_permutation < study::kCompareLevel)) return "";
  if (least_permutation_p(finding) >= study::kCompareLevel)
    return fmt::format(
        "The permutation test, which assumes no distribution, cannot fall below {} with so few {}: the "
        "decision rests on normal scores.",
        number(least_permutation_p(finding), 2),
        finding.request.paired && finding.unequal_pairs < finding.a.scores.size() ? "pairs that differ" : "runs");
  return "The two tests disagree, as they may for few runs or scores far from normal. More runs decide.";
}

std::string first_sentence(const CompareFinding& finding) {
  const Lead lead(finding);
  if (finding.shown())
    return fmt::format("{} is better than {} by {}, {}.", lead.better(), lead.worse(), lead_in_words(finding, lead),
                       p_values(finding));
  if (!(lead.difference > 0 || lead.difference < 0))
    return fmt::format(
        "Inconclusive: both means are equal{}, {}.",
        lead.low ? fmt::format(" ({}: {})", compare_confidence(), interval_to_scale(finding, *lead.low, *lead.high))
                 : "",
        p_values(finding));
  return fmt::format("Inconclusive: {} did better than {} by {} in these runs{}, {}.", lead.better(), lead.worse(),
                     lead_in_words(finding, lead), lead.low ? ", but zero lies in the interval" : "",
                     p_values(finding));
}

std::string item_sentences(const CompareFinding& finding) {
  const auto errors = [](const ComparedArm& arm) { return number(*arm.item_error, 2); };
  std::string text = fmt::format(
      "A new test set of {} would move one score by {} (A) and {} (B): binomial standard errors. All scores here are "
      "of the same items, so neither the sd over runs nor the interval has that in it: they are about new runs on this "
      "test set.",
      plural(*finding.request.items, "item"), errors(finding.a), errors(finding.b));
  const auto share = [](const ComparedArm& arm) {
    return arm.item_share ? fmt::format("{:.0f} %", 100 * *arm.item_share) : std::string("-");
  };
  if (finding.a.item_share || finding.b.item_share)
    text += fmt::format(
        " Items that flip from run to run, each independently, could be at most {} (A) and {} (B) of the variance over "
        "runs.",
        share(finding.a), share(finding.b));
  return text;
}

std::string left_out_sentence(const char* arm, const char* other, const ComparedArm& compared) {
  constexpr std::size_t kNamed = 10;
  std::string text =
      fmt::format("Left out: {} of {}, which {} lacks: ", plural(compared.left_out.size(), "seed"), arm, other);
  for (std::size_t i = 0; i < std::min(kNamed, compared.left_out.size()); ++i)
    text += (i > 0 ? ", " : "") + compared.left_out[i];
  return text + (compared.left_out.size() > kNamed ? ", ..." : "") + ".";
}

}  // namespace

Lead::Lead(const CompareFinding& finding)
    : greater_is_better(!finding.request.lower_is_better),
      difference(std::fabs(finding.difference)),
      low(finding.low),
      high(finding.high) {
  if (!(finding.difference < 0)) return;
  std::swap(greater, smaller);
  sign = -1;
  if (!low) return;
  low = -*finding.high;
  high = -*finding.low;
}

std::string compare_confidence() { return fmt::format("{:.0f} %", 100 * study::kCompareConfidence); }

std::string p_in_words(double p) {
  if (p < 1e-4) return "p < 0.0001";
  int digits = 2;  // more where they would round it onto the level that it is compared with
  const auto rounded = [&] { return std::stod(number(p, digits)); };
  while (digits < 17 && (rounded() < study::kCompareLevel) != (p < study::kCompareLevel)) ++digits;
  return "p = " + number(p, digits);
}

std::string to_scale(double value, double scale) {
  constexpr int kMostDecimals = 9;
  if (!(scale > 0) || std::fabs(value) >= 1e9) return number(value, 6);
  const int decimals = 1 - static_cast<int>(std::floor(std::log10(scale)));
  if (decimals > kMostDecimals) return number(value, 6);
  const std::string text = fmt::format("{:.{}f}", value, std::max(decimals, 0));
  return text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-') ? text.substr(1) : text;
}

double scale_of(const CompareFinding& finding) {
  double scale = 0;
  const auto see = [&](double x) {
    if (x > 0 && (scale == 0 || x < scale)) scale = x;
  };
  see(finding.a.sd);
  see(finding.b.sd);
  if (finding.low) see((*finding.high - *finding.low) / 2);
  return scale;
}

std::string interval_to_scale(const CompareFinding& finding, double low, double high) {
  const double scale = scale_of(finding);
  return to_scale(low, scale) + " to " + to_scale(high, scale);
}

std::string name_of(const char* arm, const ComparedArm& compared) {
  return compared.source.empty() ? arm : fmt::format("{} ({})", arm, compared.source);
}

std::vector<std::string> decision_of(const CompareFinding& finding) {
  std::vector<std::string> sentences{first_sentence(finding)};
  if (const std::string said = disagreement(finding); !said.empty()) sentences.push_back(said);
  if (!finding.p) {
    sentences.push_back(no_spread_sentence(finding));
  } else if (finding.plan && (!finding.shown() || finding.request.difference)) {
    sentences.push_back(plan_sentence(finding));
  }
  return sentences;
}

std::vector<std::string> notes_of(const CompareFinding& finding) {
  std::vector<std::string> notes;
  if (!finding.a.left_out.empty()) notes.push_back(left_out_sentence("A", "B", finding.a));
  if (!finding.b.left_out.empty()) notes.push_back(left_out_sentence("B", "A", finding.b));
  if (finding.unused_pairs >= 2)
    notes.push_back(fmt::format(
        "{} are in both files: --paired compares the runs of each seed, which shows smaller differences where a seed "
        "moves both models alike.",
        plural(finding.unused_pairs, "seed")));
  const bool one_k = finding.a.best_of == finding.b.best_of;
  notes.push_back(
      fmt::format("best of k: by how much the best of k runs beats the mean run{}. Where only the best run of one "
                  "model is reported, "
                  "that much of its lead is selection.",
                  one_k ? "" : ", with k all runs of each; --best-of K has one k for both"));
  if (finding.request.items) notes.push_back(item_sentences(finding));
  if (finding.plan && !finding.request.difference && !finding.shown())
    notes.push_back(
        "Runs are planned for the observed difference, which is itself uncertain: give --difference D, the least "
        "difference that matters.");
  return notes;
}

}  // namespace orderlab
