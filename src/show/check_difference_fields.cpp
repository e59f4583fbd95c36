#include "show/check_difference_fields.hpp"

#include <optional>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "show/check_difference.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/check_options.hpp"
#include "study/input_options.hpp"

namespace orderlab::described {

namespace {

using study::DifferenceFinding;
using study::DifferenceReason;
using study::DifferenceVerdict;
using study::GivenDifference;
namespace k = kinds;

constexpr Field kGivenDifferenceFields[] = {
    value<&GivenDifference::value>("value", k::kFinite, "The difference that was given"),
    value<&GivenDifference::least>("least", k::kMagnitude, "Least magnitude that its digits leave open"),
    value<&GivenDifference::greatest>("greatest", k::kMagnitude, "Greatest magnitude that its digits leave open"),
};
constexpr TableOf<GivenDifference> kGivenDifference{{.key = "given_difference",
                                                     .title = "Given difference",
                                                     .help = "A difference between two results.",
                                                     .fields = kGivenDifferenceFields}};

constexpr Field kCheckDifferenceConfigFields[] = {
    merged<&DifferenceFinding::input>(kTermsConfig),
    merged<&DifferenceFinding::asked>(kOrderConfig),
    value(study::kAgainstOrder, k::kText, [](const DifferenceFinding& f) { return f.other.asked.expression; }),
    value(study::kAgainstFormat, k::kText, [](const DifferenceFinding& f) { return added_formats(f.other.formats); }),
    value<&DifferenceFinding::seed>(study::kSeed, k::kCount),
    value<&DifferenceFinding::confidence>(study::kCheckConfidence, k::kProbability),
    value<&DifferenceFinding::samples_asked>(study::kCheckSamples, k::kCount,
                                             {.null = ": chosen from confidence, number of differences and n"}),
    value<&DifferenceFinding::arrivals_known>("arrivals_known", k::kTruth,
                                              "Whether all arrivals were named, so that no others are tried"),
    part("differences", kGivenDifference, "The differences that were given",
         [](const DifferenceFinding& f) {
           std::vector<GivenDifference> given;
           for (const DifferenceVerdict& d : f.differences) given.push_back(d.given);
           return given;
         },
         {.list_rule = R"({"minItems": 1})"}),
};
constexpr TableOf<DifferenceFinding> kCheckDifferenceConfig{{.key = "config",
                                                             .title = "Difference check config",
                                                             .help = kConfigSentence,
                                                             .fields = kCheckDifferenceConfigFields}};

constexpr Field kDifferenceVerdictFields[] = {
    value("value", k::kFinite, "The difference", [](const DifferenceVerdict& d) { return d.given.value; },
          {.where = Where::both}),
    word<&DifferenceVerdict::verdict, names_through<Verdict::impossible>()>(
        "verdict", k::kText,
        "explained: results of the two orders differ by as much, or it is larger by chance. unlikely: larger than the "
        "differences of all samples, and too many are. impossible: no orders of this kind give it. none: interrupted "
        "before the samples that would decide",
        {.where = Where::both}),
    word<&DifferenceVerdict::reason, names_through<DifferenceReason::not_finite>()>(
        "reason", k::kText,
        "Reason of the verdict: some pair of samples differs by as much or more (inside_range), sums of other arrival "
        "orders do (inside_reach), larger than all of these and within both bounds together (beyond_range), larger "
        "where a bound is not derived (not_bounded), larger than both bounds together (outside_bound), both orders are "
        "fixed and their results differ by another amount (one_pair), every pair of samples has inf or NaN "
        "(not_finite)",
        {.where = Where::both}),
    value<&DifferenceVerdict::as_large>(
        "as_large", k::kCount, "Number of pairs of samples that differ by as much or more", {.where = Where::both}),
};
constexpr TableOf<DifferenceVerdict> kDifferenceVerdict{{.key = "difference_verdict",
                                                         .title = "Difference verdict",
                                                         .help = "The verdict on one difference.",
                                                         .fields = kDifferenceVerdictFields}};

constexpr Field kCheckDifferenceFields[] = {
    head<DifferenceFinding>(),
    command<DifferenceFinding>(R"("check")"),
    group("config", kCheckDifferenceConfig),
    partial<&DifferenceFinding::partial>(),
    part<&DifferenceFinding::input>("input", kInput),
    judged_order<DifferenceFinding>(),
    part<&DifferenceFinding::warnings>("warnings", kTexts, kWarningsHelp, kOfWarnings),
    value<&DifferenceFinding::samples>("samples", k::kSome, "Number of pairs of samples that were drawn"),
    value<&DifferenceFinding::nonfinite>("nonfinite", k::kCount, "Number of pairs with inf or NaN"),
    value<&DifferenceFinding::rms>("rms", k::kMagnitude, "Root mean square of the differences of the other pairs",
                                   {.null = "without any"}),
    value<&DifferenceFinding::largest>("largest", k::kMagnitude, "Largest of these differences",
                                       {.null = "without any"}),
    value<&DifferenceFinding::reach>(
        "reach", k::kMagnitude,
        "Largest difference between sums of the samples and of other arrival orders: launch order, its reverse, sorted "
        "ones, fitted models",
        {.null = "where it was not needed"}),
    value<&DifferenceFinding::bound>("bound", k::kMagnitude, "Sum of the bounds on both errors over every order",
                                     {.null = "where one is not derived"}),
    part<&DifferenceFinding::differences>("differences", kDifferenceVerdict, "The verdict on each difference",
                                          {.list_rule = R"({"minItems": 1})"}),
    value<&DifferenceFinding::p>(
        "p", k::kProbability,
        "Probability that so many legitimate differences are larger than those of all samples and other orders"),
    value("verdict", k::kText, "The worst of the verdicts",
          [](const DifferenceFinding& f) { return name_of(f.verdict()); },
          {.words = names_through<Verdict::impossible>()}),
};

}  // namespace

constexpr TableOf<DifferenceFinding> kCheckDifferenceDocument{
    {.key = "check_difference",
     .title = "Difference check",
     .help = "Written by `orderlab check --against ORDER --json`: are these differences explained by the two orders?",
     .fields = kCheckDifferenceFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::DifferenceFinding& finding) {
  return csv_table(described::kDifferenceVerdict, finding.differences);
}

std::string to_json(const study::DifferenceFinding& finding) {
  return json_document(to_json(described::kCheckDifferenceDocument, finding));
}

}  // namespace orderlab
