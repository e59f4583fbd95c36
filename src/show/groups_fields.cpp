#include "show/groups_fields.hpp"

#include <optional>
#include <string>

#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/given_fields.hpp"
#include "show/groups.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/group_options.hpp"
#include "study/shared_options.hpp"

namespace orderlab::described {

namespace {

using study::GroupAnswer;
using study::GroupsFinding;
namespace k = kinds;

consteval More said_by(std::string_view null) { return {.null = null, .where = Where::both}; }
constexpr More kEverywhere{.where = Where::both};

constexpr Field kGroupFields[] = {
    value<&GroupAnswer::group>("group", k::kText, "What the rows of the group have in the column", kEverywhere),
    value(
        "n", k::kSome, "Number of terms", [](const GroupAnswer& g) { return g.input.n; }, kEverywhere),
    value("hash", k::kHash, "Hash of the terms, little endian", [](const GroupAnswer& g) { return g.input.hash; }),
    value(
        "exact", k::kText, "The exact sum, 17 digits", [](const GroupAnswer& g) { return g.input.exact.decimal(17); },
        kEverywhere),
    value<&GroupAnswer::results>("results", k::kCount, "Different results: of all orders, or of those drawn",
                                 said_by("where the command does not count them")),
    value<&GroupAnswer::more_than>("more_than", k::kCount,
                                   "What the number of results exceeds, where it was not counted",
                                   said_by("where results were counted, and for other commands than sample")),
    value<&GroupAnswer::least>("least", k::kNumber, "The least result", said_by("where results are not listed")),
    value<&GroupAnswer::greatest>("greatest", k::kNumber, "The greatest result",
                                  said_by("where results are not listed")),
    value<&GroupAnswer::largest_error>("largest_error", k::kMagnitude, "The largest relative error",
                                       said_by("for an exact sum of 0, and where the command finds none")),
    value<&GroupAnswer::same_bits>("same_bits", k::kProbability, "Probability that two runs give the same bits",
                                   said_by("where the command does not find it")),
    value<&GroupAnswer::tolerance>("tolerance", k::kMagnitude, "Relative tolerance",
                                   said_by("for other commands than tolerance")),
    value(
        "verdict", k::kText, "Verdict on the results of the group that were given",
        [](const GroupAnswer& g) { return text_or_none(g.verdict); }, said_by("for other commands than check")),
    value(
        "problem", k::kText, "Why there is no answer for the group",
        [](const GroupAnswer& g) { return text_or_none(g.problem); }, said_by("where there is one")),
};
constexpr TableOf<GroupAnswer> kGroup{
    {.key = "group", .title = "Group", .help = "The answer for the terms of one group.", .fields = kGroupFields}};

constexpr Field kGroupsConfigFields[] = {
    value<&GroupsFinding::by>(study::kBy, k::kText),
    merged<&GroupsFinding::asked>(kOrderConfig),
    value("format", k::kFormats, kFormatsHelp, [](const GroupsFinding& f) { return to_string(f.formats); }),
    value<&GroupsFinding::seed>(study::kSeed, k::kCount),
    value<&GroupsFinding::samples>("samples", k::kCount, kDrawnHelp, {.null = "where none are asked for"}),
    value<&GroupsFinding::max_distinct>("max_distinct", k::kCount,
                                        "Most results of a group that are counted one by one",
                                        {.null = "for other commands than sample and enumerate"}),
    value(
        "baseline", k::kText, kBaselineHelp, [](const GroupsFinding& f) { return text_or_none(f.baseline); },
        kOwnBaseline),
    value<&GroupsFinding::confidence>("confidence", k::kProbability,
                                      "Of check: probability that no honest group is flagged. Of tolerance: that the "
                                      "coverage of a group holds",
                                      {.null = "for other commands"}),
    value<&GroupsFinding::coverage>("coverage", k::kProbability, "Fraction of runs that must pass",
                                    {.null = "for other commands than tolerance"}),
    value("against", k::kText, "What results are compared with",
          [](const GroupsFinding& f) { return text_or_none(f.against); },
          {.null = "for other commands than tolerance"}),
    value("ftz", k::kText, "What fp32 additions do with subnormal numbers",
          [](const GroupsFinding& f) { return text_or_none(f.ftz); }, {.null = "for other commands than check"}),
};
constexpr TableOf<GroupsFinding> kGroupsConfig{
    {.key = "config", .title = "Groups config", .help = kConfigSentence, .fields = kGroupsConfigFields}};

constexpr std::string_view kGroupingCommands[] = {"sample", "enumerate", "check", "tolerance"};
constexpr Field kGroupsFields[] = {
    head<GroupsFinding>(),
    value<&GroupsFinding::command>("command", k::kText, kCommandHelp, {.words = kGroupingCommands}),
    group("config", kGroupsConfig),
    value<&GroupsFinding::rounded>("rounded_values", k::kCount, kRoundedHelp,
                                   {.null = "for other commands than check"}),
    part<&GroupsFinding::groups>("groups", kGroup, "The groups, in the order in which they come first"),
};

}  // namespace

constexpr TableOf<GroupsFinding> kGroupsDocument{
    {.key = "groups",
     .title = "Groups",
     .help = "Written by `orderlab sample`, `enumerate`, `check` and `tolerance` with --by and --json: the answer for "
             "each group of rows of a table.",
     .fields = kGroupsFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::GroupsFinding& finding) {
  return json_document(to_json(described::kGroupsDocument, finding));
}

std::string to_csv(const study::GroupsFinding& finding) {
  std::string csv = csv_titles(described::kGroup);
  for (const study::GroupAnswer& answer : finding.groups) csv += csv_row(described::kGroup, answer);
  return csv;
}

}  // namespace orderlab
