#include "show/compare_fields.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "show/compare.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/compare_options.hpp"

namespace orderlab::described {

namespace {

using study::CompareFinding;
using study::CompareRequest;
using study::PowerPlan;
namespace k = kinds;

constexpr Kind kArrangements{Holds::text, {}, R"({"type": ["integer", "null"], "minimum": 1})"};
constexpr std::string_view kAboveExactCounts = "above 2^53";

constexpr Field kCompareConfigFields[] = {
    value<&CompareRequest::paired>(study::kPaired, k::kTruth),
    value<&CompareRequest::lower_is_better>(study::kLowerIsBetter, k::kTruth),
    value<&CompareRequest::difference>("difference", k::kFinite, "Difference to plan runs for",
                                       {.null = ": the observed one"}),
    value<&CompareRequest::power>(study::kPower, k::kProbability),
    value<&CompareRequest::items>(study::kTestItems, k::kCount, {.null = "where it was not given"}),
    value<&CompareRequest::best_of>(study::kBestOf, k::kCount, {.null = ": all"}),
    value<&CompareRequest::seed>(study::kDrawSeed, k::kCount),
};
constexpr TableOf<CompareRequest> kCompareConfig{
    {.key = "config", .title = "Comparison config", .fields = kCompareConfigFields}};

constexpr Field kPowerPlanFields[] = {
    value<&PowerPlan::difference>("difference", k::kPositive, "The difference that is planned for"),
    value<&PowerPlan::power_now>("power_now", k::kProbability,
                                 "Probability with which the runs that there are show it"),
    value<&PowerPlan::runs_low>("runs_low", k::kCount, "runs_needed for the lower limit of the standard deviation",
                                {.null = kAboveExactCounts}),
    value<&PowerPlan::runs_high>("runs_high", k::kCount, "runs_needed for its upper limit",
                                 {.null = kAboveExactCounts}),
    value<&PowerPlan::normal_runs>("normal_runs", k::kCount, "Runs by the formula for normal numbers of known spread",
                                   {.null = kAboveExactCounts}),
};
constexpr TableOf<PowerPlan> kPowerPlan{{.key = "plan", .title = "Power plan", .fields = kPowerPlanFields}};

constexpr Field kComparedScoreFields[] = {itself<double>(k::kFinite)};
constexpr TableOf<double> kComparedScore{{.key = "score", .fields = kComparedScoreFields}};

/// A model with its name: a row of CSV.
struct ArmRow {
  std::string_view name;
  const study::ComparedArm& arm;
};
constexpr More kArmInBoth{.where = Where::both};
constexpr More kNullOfEqualScores{.null = "where all scores are equal", .where = Where::both};
constexpr Field kArmRowFields[] = {
    value("model", k::kText, "Which model", [](const ArmRow& r) { return r.name; }, {.where = Where::csv}),
    value("file", k::kText, "File of the scores", [](const ArmRow& r) { return text_or_none(r.arm.source); },
          {.null = "for a list", .where = Where::both}),
    value(
        "runs", k::kSome, "Number of runs", [](const ArmRow& r) { return r.arm.scores.size(); }, kArmInBoth),
    value(
        "mean", k::kFinite, "Mean score", [](const ArmRow& r) { return r.arm.mean; }, kArmInBoth),
    value(
        "low", k::kFinite, "Lower limit of its 95 % interval", [](const ArmRow& r) { return r.arm.low; },
        kNullOfEqualScores),
    value(
        "high", k::kFinite, "Upper limit of its 95 % interval", [](const ArmRow& r) { return r.arm.high; },
        kNullOfEqualScores),
    value(
        "sd", k::kFraction, "Standard deviation of the scores", [](const ArmRow& r) { return r.arm.sd; }, kArmInBoth),
    value(
        "min", k::kFinite, "Least score", [](const ArmRow& r) { return r.arm.least; }, kArmInBoth),
    value(
        "max", k::kFinite, "Greatest score", [](const ArmRow& r) { return r.arm.greatest; }, kArmInBoth),
    value(
        "best_of", k::kSome, "Number of runs of which the best is picked",
        [](const ArmRow& r) { return r.arm.best_of; }, kArmInBoth),
    value(
        "best_gain", k::kFraction, "By how much that is better than the mean run, on average",
        [](const ArmRow& r) { return r.arm.best_gain; }, kArmInBoth),
    value("item_error", k::kFraction, "Binomial standard error of one score on a new test set",
          [](const ArmRow& r) { return r.arm.item_error; },
          {.null = "where its size was not given", .where = Where::both}),
    value("item_share", k::kProbability, "Largest share of the variance that items can make which flip from run to run",
          [](const ArmRow& r) { return r.arm.item_share; },
          {.null = "where the size of the test set was not given, or the sd is 0", .where = Where::both}),
    part(
        "left_out", kTexts, "Of a paired comparison: seeds that the other model lacks",
        [](const ArmRow& r) -> const auto& { return r.arm.left_out; }),
    part(
        "scores", kComparedScore, "The scores that are compared",
        [](const ArmRow& r) -> const auto& { return r.arm.scores; }),
};
constexpr TableOf<ArmRow> kArmRow{
    {.key = "model", .title = "Compared model", .help = "Scores of the runs of one model.", .fields = kArmRowFields}};

constexpr std::string_view kCompareTests[] = {"welch", "paired_t"};
constexpr More kNullOfNoSpread{.null = "where nothing varies"};
constexpr More kNullUnpaired{.null = "for a comparison that is not paired"};

constexpr Field kCompareFields[] = {
    head<CompareFinding>(),
    command<CompareFinding>(R"("compare")"),
    part<&CompareFinding::request>("config", kCompareConfig,
                                   "All that is needed to repeat the document beside the scores"),
    value<&CompareFinding::difference>("difference", k::kFinite, "Mean score of A less mean score of B"),
    value<&CompareFinding::low>("low", k::kFinite, "Lower limit of its 95 % interval", kNullOfNoSpread),
    value<&CompareFinding::high>("high", k::kFinite, "Upper limit of its 95 % interval", kNullOfNoSpread),
    value("test", k::kText, "The test: Welch's t test, or the paired t test",
          [](const CompareFinding& f) { return kCompareTests[f.request.paired ? 1 : 0]; }, {.words = kCompareTests}),
    value<&CompareFinding::t>("t", k::kFinite, "Its statistic", kNullOfNoSpread),
    value(
        "degrees", k::kFraction, "Its degrees of freedom",
        [](const CompareFinding& f) { return f.p ? std::optional(f.degrees) : std::nullopt; }, kNullOfNoSpread),
    value("p_welch", k::kProbability, "Two-sided p-value of Welch's t test",
          [](const CompareFinding& f) { return f.request.paired ? std::nullopt : f.p; },
          {.null = "for a paired comparison, and where nothing varies"}),
    value("p_paired", k::kProbability, "Two-sided p-value of the paired t test",
          [](const CompareFinding& f) { return f.request.paired ? f.p : std::nullopt; },
          {.null = "for a comparison that is not paired, and where nothing varies"}),
    value<&CompareFinding::p_permutation>("p_permutation", k::kProbability, "p-value of the permutation test"),
    value<&CompareFinding::permutation_error>(
        "p_permutation_error", k::kFraction,
        "Standard error that drawing gives it; 0 where all arrangements are counted"),
    value("arrangements", kArrangements, "Number of arrangements that it counts",
          [](const CompareFinding& f) -> Value {  // a whole number where it is known to the last digit
            if (f.arrangements < 0x1p53) return static_cast<std::uint64_t>(f.arrangements);
            return std::isfinite(f.arrangements) ? Value(f.arrangements) : Value();
          },
          {.null = "from 2^1024 on"}),
    value<&CompareFinding::all_arrangements>("all_arrangements", k::kTruth,
                                             "Whether these are all; else they were drawn"),
    value(
        "unequal_pairs", k::kCount, "Number of pairs that differ, whose signs the permutation test changes",
        [](const CompareFinding& f) { return f.request.paired ? std::optional(f.unequal_pairs) : std::nullopt; },
        kNullUnpaired),
    value<&CompareFinding::sd_difference>("sd_difference", k::kFraction,
                                          "Standard deviation of the differences of pairs", kNullUnpaired),
    value("shown", k::kTruth, "Whether a difference is shown: a p-value below 0.05",
          [](const CompareFinding& f) { return f.shown(); }),
    value("runs_needed", k::kCount,
          "Runs of each model, or pairs, that show the planned difference with the power asked for",
          [](const CompareFinding& f) { return f.plan ? f.plan->runs : std::nullopt; },
          {.null = "where there is no plan, or they are above 2^53"}),
    part<&CompareFinding::plan>("plan", kPowerPlan, "What runs it takes to show a difference",
                                {.null = "where nothing varies, or there is no difference to plan for"}),
    part("a", kArmRow, "Model A",
         [](const CompareFinding& f) {
           return ArmRow{"A", f.a};
         }),
    part("b", kArmRow, "Model B",
         [](const CompareFinding& f) {
           return ArmRow{"B", f.b};
         }),
};

}  // namespace

constexpr TableOf<CompareFinding> kCompareDocument{
    {.key = "compare",
     .title = "Comparison",
     .help = "Written by `orderlab compare --json`: is model A better than model B?",
     .fields = kCompareFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::CompareFinding& finding) {
  using described::ArmRow;
  return csv_table(described::kArmRow, std::vector{ArmRow{"A", finding.a}, ArmRow{"B", finding.b}});
}

std::string to_json(const study::CompareFinding& finding) {
  return json_document(to_json(described::kCompareDocument, finding));
}

}  // namespace orderlab
