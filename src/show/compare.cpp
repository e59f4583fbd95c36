#include "show/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "show/colors.hpp"
#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::ComparedArm;
using study::CompareFinding;
using study::PowerPlan;

const std::string& confidence_in_words() {
  static const std::string kWords = fmt::format("{:.0f} %", 100 * study::kCompareConfidence);
  return kWords;
}

std::string p_in_words(double p) { return p < 1e-4 ? "p < 0.0001" : "p = " + number(p, 2); }

/// The lead of the better mean, and its interval.
struct Lead {
  std::string better = "A";
  std::string worse = "B";
  double difference;
  std::optional<double> low;
  std::optional<double> high;

  explicit Lead(const CompareFinding& finding)
      : difference(std::fabs(finding.difference)), low(finding.low), high(finding.high) {
    if (!finding.a_is_better()) std::swap(better, worse);
    if (!(finding.difference < 0) || !low) return;
    low = -*finding.high;
    high = -*finding.low;
  }
};

std::string interval(const CompareFinding& finding, double low, double high) {
  const double scale = scale_of(finding);
  return to_scale(low, scale) + " to " + to_scale(high, scale);
}

std::string test_name(const CompareFinding& finding) { return finding.request.paired ? "paired t" : "Welch"; }

std::string units(const CompareFinding& finding, std::uint64_t count) {
  return finding.request.paired ? plural(count, "pair") : plural(count, "run") + " of each";
}

/// "4 runs of each show a difference of 0.012 with probability 0.6; 23 runs of each would with probability 0.8 (12 to
/// 80 by the 95 % interval of the sd)."
std::string plan_sentence(const CompareFinding& finding) {
  const PowerPlan& plan = *finding.plan;
  const std::uint64_t a = finding.a.scores.size();
  const std::uint64_t b = finding.b.scores.size();
  std::string text =
      fmt::format("{} show a difference of {} with probability {}; ",
                  finding.request.paired || a == b ? units(finding, a) : fmt::format("{} runs of A and {} of B", a, b),
                  number(plan.difference, 3), number(plan.power_now, 2));
  if (!plan.runs) return text + fmt::format("no number below 2^53 does with {}.", number(finding.request.power));
  text += fmt::format("{} would with probability {}", units(finding, *plan.runs), number(finding.request.power));
  if (plan.runs_low && plan.runs_high && *plan.runs_low < *plan.runs_high)
    text +=
        fmt::format(" ({} to {} by the {} interval of the sd)", *plan.runs_low, *plan.runs_high, confidence_in_words());
  return text + ".";
}

std::string no_spread_sentence(const CompareFinding& finding) {
  if (finding.request.paired)
    return "All pairs have the same difference, so there is no standard deviation to test it by: no interval, no "
           "planned runs.";
  return "All scores of A are equal, and all of B, so there is no standard deviation to test by: no interval, no "
         "planned "
         "runs.";
}

std::string lead_in_words(const CompareFinding& finding, const Lead& lead) {
  if (!lead.low) return to_scale(lead.difference, scale_of(finding));
  return fmt::format("{} ({}: {})", to_scale(lead.difference, scale_of(finding)), confidence_in_words(),
                     interval(finding, *lead.low, *lead.high));
}

std::string p_values(const CompareFinding& finding) {
  const std::string permutation = p_in_words(finding.p_permutation) + " by permutation";
  return finding.p ? fmt::format("{} ({}), {}", p_in_words(*finding.p), test_name(finding), permutation) : permutation;
}

/// Least p that the permutation test can have.
double least_permutation_p(const CompareFinding& finding) {
  const double all = static_cast<double>(finding.arrangements);
  if (!finding.all_arrangements) return 1 / (all + 1);
  const bool mirrored = finding.request.paired || finding.a.scores.size() == finding.b.scores.size();
  return (mirrored ? 2 : 1) / all;
}

/// Where the tests disagree.
std::string disagreement(const CompareFinding& finding) {
  if (!finding.p || (*finding.p < study::kCompareLevel) == (finding.p_permutation < study::kCompareLevel)) return "";
  if (least_permutation_p(finding) >= study::kCompareLevel)
    return fmt::format(
        "The permutation test, which does not take scores to be normal, cannot fall below {} with so few runs: the "
        "decision rests on normal scores.",
        number(least_permutation_p(finding), 2));
  return "The two tests disagree, as they may for few runs or scores far from normal. More runs decide.";
}

std::string first_sentence(const CompareFinding& finding) {
  const Lead lead(finding);
  if (finding.shown())
    return fmt::format("{} is better than {} by {}, {}.", lead.better, lead.worse, lead_in_words(finding, lead),
                       p_values(finding));
  if (!(lead.difference > 0 || lead.difference < 0))
    return fmt::format(
        "Not shown: both means are equal{}, {}.",
        lead.low ? fmt::format(" ({}: {})", confidence_in_words(), interval(finding, *lead.low, *lead.high)) : "",
        p_values(finding));
  return fmt::format("Not shown: {} is better than {} by {} in these runs, {}.", lead.better, lead.worse,
                     lead_in_words(finding, lead), p_values(finding));
}

std::string item_sentences(const CompareFinding& finding) {
  const auto errors = [](const ComparedArm& arm) { return number(*arm.item_error, 2); };
  std::string text = fmt::format(
      "A new test set of {} would move one score by {} (A) and {} (B): binomial standard errors. All scores here are "
      "of "
      "the same items, so neither the sd over runs nor the interval has that in it: they are about new runs on this "
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

/// "0.010" beside "0.0062".
std::string two_digits(double value) { return value > 0 ? fmt::format("{:#.2g}", value) : "0"; }

std::string table_text(const CompareFinding& finding, const TextStyle& style) {
  const double scale = scale_of(finding);
  Table table({{"", Align::left},
               {"runs"},
               {"mean"},
               {confidence_in_words() + " of the mean"},
               {"sd"},
               {"min"},
               {"max"},
               {"best of k"}});
  const auto add = [&](const char* name, const ComparedArm& arm) {
    table.add({name, std::to_string(arm.scores.size()), to_scale(arm.mean, scale),
               arm.low ? interval(finding, *arm.low, *arm.high) : "-", two_digits(arm.sd), to_scale(arm.least, scale),
               to_scale(arm.greatest, scale),
               fmt::format("{}{} (k = {})", finding.request.lower_is_better ? "-" : "+", two_digits(arm.best_gain),
                           arm.best_of)});
  };
  add("A", finding.a);
  add("B", finding.b);
  return table.text(style.color);
}

std::string test_lines(const CompareFinding& finding) {
  const double scale = scale_of(finding);
  std::string text = "A - B: " + to_scale(finding.difference, scale);
  if (finding.low)
    text += fmt::format(" ({}: {}); {}: t = {} with {} degrees of freedom, {}", confidence_in_words(),
                        interval(finding, *finding.low, *finding.high),
                        finding.request.paired ? "paired t test" : "Welch's test", number(finding.t, 3),
                        number(finding.degrees, 3), p_in_words(*finding.p));
  text += fmt::format("; {}: {} over {}{} {}", finding.request.paired ? "sign flips" : "permutation test",
                      p_in_words(finding.p_permutation), finding.all_arrangements ? "all " : "", finding.arrangements,
                      finding.request.paired ? "choices of signs" : "splits");
  text += finding.all_arrangements ? "" : " drawn";
  if (finding.sd_difference) text += fmt::format("; sd of the differences {}", number(finding.sd_difference, 2));
  return text + ".\n";
}

using ArmColumn = ColumnOf<ComparedArm>;
constexpr ArmColumn kArmColumns[] = {
    {"file", [](const ComparedArm& arm) { return arm.source.empty() ? Value() : Value(arm.source); }},
    {"runs", [](const ComparedArm& arm) { return Value(std::uint64_t{arm.scores.size()}); }},
    {"mean", [](const ComparedArm& arm) { return Value(arm.mean); }},
    {"low", [](const ComparedArm& arm) { return cell_of(arm.low); }},
    {"high", [](const ComparedArm& arm) { return cell_of(arm.high); }},
    {"sd", [](const ComparedArm& arm) { return Value(arm.sd); }},
    {"min", [](const ComparedArm& arm) { return Value(arm.least); }},
    {"max", [](const ComparedArm& arm) { return Value(arm.greatest); }},
    {"best_of", [](const ComparedArm& arm) { return Value(arm.best_of); }},
    {"best_gain", [](const ComparedArm& arm) { return Value(arm.best_gain); }},
    {"item_error", [](const ComparedArm& arm) { return cell_of(arm.item_error); }},
    {"item_share", [](const ComparedArm& arm) { return cell_of(arm.item_share); }},
};

Json arm_json(const ComparedArm& arm) {
  Json json = json_row<ComparedArm>(kArmColumns, arm);
  json["left_out"] = arm.left_out;
  json["scores"] = arm.scores;
  return json;
}

Json config_json(const study::CompareRequest& request) {
  Json config = Json::object();
  config["paired"] = request.paired;
  config["lower_is_better"] = request.lower_is_better;
  config["difference"] = or_null(request.difference);
  config["power"] = request.power;
  config["items"] = or_null(request.items);
  config["best_of"] = or_null(request.best_of);
  config["seed"] = request.seed;
  return config;
}

Json plan_json(const PowerPlan& plan) {
  return {{"difference", plan.difference},
          {"power_now", plan.power_now},
          {"runs_low", or_null(plan.runs_low)},
          {"runs_high", or_null(plan.runs_high)},
          {"normal_runs", or_null(plan.normal_runs)}};
}

}  // namespace

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

std::string to_text(const CompareFinding& finding, const TextStyle& style) {
  std::string head;
  if (!finding.a.source.empty()) head += "A: " + finding.a.source + "\n";
  if (!finding.b.source.empty()) head += "B: " + finding.b.source + "\n";
  head +=
      fmt::format("{}; {} scores are better\n",
                  finding.request.paired ? plural(finding.a.scores.size(), "pair") + " of runs" : "independent runs",
                  finding.request.lower_is_better ? "lower" : "higher");
  std::string text = wrapped(head, style.width) + "\n" + table_text(finding, style) + "\n";
  text += wrapped(test_lines(finding), style.width);
  for (const std::string& note : notes_of(finding)) text += wrapped(note + "\n", style.width);
  text += "\n";
  for (const std::string& sentence : decision_of(finding))
    text += wrapped(bold(sentence, style.color) + "\n", style.width);
  return text;
}

std::string to_json(const CompareFinding& finding) {
  Json json = json_head("compare");
  json["config"] = config_json(finding.request);
  json["difference"] = finding.difference;
  json["low"] = or_null(finding.low);
  json["high"] = or_null(finding.high);
  json["test"] = finding.request.paired ? "paired_t" : "welch";
  json["t"] = or_null(finding.t);
  json["degrees"] = finding.p ? Json(finding.degrees) : Json();
  json["p_welch"] = finding.request.paired ? Json() : or_null(finding.p);
  json["p_paired"] = finding.request.paired ? or_null(finding.p) : Json();
  json["p_permutation"] = finding.p_permutation;
  json["arrangements"] = finding.arrangements;
  json["all_arrangements"] = finding.all_arrangements;
  json["sd_difference"] = or_null(finding.sd_difference);
  json["shown"] = finding.shown();
  json["runs_needed"] = finding.plan ? or_null(finding.plan->runs) : Json();
  json["plan"] = finding.plan ? plan_json(*finding.plan) : Json();
  json["a"] = arm_json(finding.a);
  json["b"] = arm_json(finding.b);
  return json_document(json);
}

std::string to_csv(const CompareFinding& finding) {
  std::string csv = "model," + csv_titles<ComparedArm>(kArmColumns);
  csv += "A," + csv_row<ComparedArm>(kArmColumns, finding.a);
  return csv + "B," + csv_row<ComparedArm>(kArmColumns, finding.b);
}

}  // namespace orderlab
