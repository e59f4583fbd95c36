#include "show/check_operation_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation.hpp"
#include "show/operation_outcomes.hpp"
#include "show/operation_shared_fields.hpp"
#include "study/check_options.hpp"

namespace orderlab::described {

namespace {

using study::BlindSpot;
using study::OperationCheckFinding;
using study::OutputVerdict;
using study::SuspectOutput;
namespace k = kinds;

constexpr Kind kIndices{Holds::text, R"({"type": "string", "pattern": "^[0-9]+(,[0-9]+)*$"})", {}};
constexpr Kind kNamedArrival{Holds::text, {}, R"({"type": ["string", "null"]})"};

constexpr Field kCheckOperationConfigFields[] = {
    merged<&OperationCheckFinding::input>(kOperationConfig),
    value<&OperationCheckFinding::actual_hash>("actual", k::kHash, "Hash of the array that is checked"),
    value("arrival", kNamedArrival, "Arrival model of the units that was named",
          [](const OperationCheckFinding& f) { return text_or_none(f.arrival_named ? f.arrival : std::string()); },
          {.null = "where none was, or nothing arrives"}),
    word<&OperationCheckFinding::flushing, names_through<Flushing::no>()>(
        "ftz", k::kText,
        "Whether fp32 atomics and additions flush subnormal numbers to zero; either: both are allowed"),
    value<&OperationCheckFinding::confidence>("confidence", k::kProbability,
                                              "Probability of not flagging a legitimate array"),
    value<&OperationCheckFinding::samples_asked>("samples", k::kCount, "Number of samples that was asked for",
                                                 {.null = "for the default"}),
    value<&OperationCheckFinding::seed>(study::kSeed, k::kCount),
};
constexpr TableOf<OperationCheckFinding> kCheckOperationConfig{{.key = "config",
                                                                .title = "Operation check config",
                                                                .help = kConfigSentence,
                                                                .fields = kCheckOperationConfigFields}};

constexpr Field kOutsideSamplesFields[] = {
    value<&OperationCheckFinding::outside>("outputs", k::kCount, "Number of outputs"),
    value<&OperationCheckFinding::outside_p>(
        "p", k::kProbability,
        "Upper bound on the probability of so many; below half of 1 - confidence they are not explained"),
};
constexpr TableOf<OperationCheckFinding> kOutsideSamples{{.key = "outside_samples",
                                                          .title = "Outside samples",
                                                          .help = "Sampled outputs outside their samples.",
                                                          .fields = kOutsideSamplesFields}};

constexpr Field kBitEqualityFields[] = {
    value<&OperationCheckFinding::equals_launch>("launch", k::kTruth, "Launch order"),
    value<&OperationCheckFinding::equals_deterministic>("deterministic", k::kTruth, "The library's deterministic form"),
    value<&OperationCheckFinding::equals_exact>("exact", k::kTruth, "Exact results, each rounded once"),
};
constexpr TableOf<OperationCheckFinding> kBitEquality{{.key = "equals",
                                                       .title = "Bit equality",
                                                       .help = "Whether the array equals a fixed one in every bit.",
                                                       .fields = kBitEqualityFields}};

constexpr Field kDistance[] = {itself<std::uint32_t>(k::kCount)};
constexpr TableOf<std::uint32_t> kDistances{
    {.key = "distance", .title = "Distance", .help = "A distance.", .fields = kDistance}};
constexpr Field kLookbackFields[] = {
    value<&OperationCheckFinding::lookback_tried>("tried", k::kCount, "Greatest distance that was tried, in tiles"),
    part<&OperationCheckFinding::lookback>("distances", kDistances,
                                           "For each tile from the first on the smallest distance, in tiles, that "
                                           "explains it; 0 where none does"),
    value<&OperationCheckFinding::lookback_replays>("replays", k::kTruth,
                                                    "Whether these distances together give the array"),
};
constexpr TableOf<OperationCheckFinding> kLookback{{.key = "lookback",
                                                    .title = "Look-back",
                                                    .help = "Of a scan: look-back distances that explain the array.",
                                                    .fields = kLookbackFields}};

struct SuspectRow {
  const OperationCheckFinding& finding;
  const SuspectOutput& suspect;
};
std::vector<SuspectRow> suspect_rows(const OperationCheckFinding& finding) {
  std::vector<SuspectRow> rows;
  for (const SuspectOutput& suspect : finding.suspects) rows.push_back({finding, suspect});
  return rows;
}
constexpr Field kSuspectFields[] = {
    value("output", k::kCount, kOutputHelp, [](const SuspectRow& r) { return r.suspect.output; },
          {.where = Where::both}),
    value("index", kIndices, kIndexHelp,
          [](const SuspectRow& r) { return index_text(r.finding.input.shape, r.suspect.output); },
          {.where = Where::both}),
    value("verdict", k::kText, "The verdict on it", [](const SuspectRow& r) { return name_of(r.suspect.verdict); },
          {.words = names_from<OutputVerdict::outside_model, OutputVerdict::impossible>(), .where = Where::both}),
    value("value", k::kNumber, "Its value in the array", [](const SuspectRow& r) { return r.suspect.value; },
          {.where = Where::both}),
    value("nearest_reachable", k::kNumber,
          "The reachable result nearest to it; of an output judged by samples or a bound, the end of the range",
          [](const SuspectRow& r) { return r.suspect.nearest; }, {.where = Where::both}),
    value("distance_ulp", k::kMagnitude, "Distance between the two, in ulps",
          [](const SuspectRow& r) { return r.suspect.distance_ulp; }, {.where = Where::both}),
    value("p", k::kProbability,
          "Probability of a result that is as improbable or more, where all results of the output are known and this "
          "is one of them",
          [](const SuspectRow& r) { return r.suspect.p; }, {.null = "for others", .where = Where::both}),
};
constexpr TableOf<SuspectRow> kSuspect{
    {.key = "suspect", .title = "Suspect", .help = "An output that is not explained.", .fields = kSuspectFields}};

constexpr Field kUnseenChangesFields[] = {
    value<&BlindSpot::contributions>("contributions", k::kCount, "Number of contributions of these outputs"),
    value<&BlindSpot::changes>("changes", k::kCount, "Number of contributions that were tried"),
    value<&BlindSpot::dropped_unseen>("dropped_unseen", k::kCount, "Number of these whose omission is not seen"),
    value<&BlindSpot::doubled_unseen>("doubled_unseen", k::kCount, "Number of these whose doubling is not seen"),
};
constexpr TableOf<BlindSpot> kUnseenChanges{{.key = "unseen_changes",
                                             .title = "Unseen changes",
                                             .help = "Changes to outputs with equally many contributions.",
                                             .fields = kUnseenChangesFields}};

constexpr Field kCheckOperationFields[] = {
    head<OperationCheckFinding>(),
    command<OperationCheckFinding>(R"("check")"),
    group("config", kCheckOperationConfig),
    merged<&OperationCheckFinding::input>(kOperation),
    value("verdict", k::kText,
          "The worst verdict on an output. explained: some arrival order gives the result, or it lies inside the range "
          "of samples, or outside by chance. outside the model: only what the model assumes excludes it. unlikely: the "
          "arrival model, or the random order, that was named hardly ever gives it. impossible: no order gives it, see "
          "freedom",
          [](const OperationCheckFinding& f) { return name_of(f.verdict()); },
          {.words = names_through<OutputVerdict::impossible>()}),
    value<&OperationCheckFinding::samples>(
        "samples", k::kCount, "Number of runs that were drawn; 0 where all results of all outputs are known"),
    value<&OperationCheckFinding::fixed>("fixed", k::kCount, "Number of outputs with one result"),
    value<&OperationCheckFinding::enumerated>("enumerated", k::kCount,
                                              "Number of outputs with several results, all known"),
    value<&OperationCheckFinding::sampled>("sampled", k::kCount,
                                           "Number of outputs that were judged by samples and a bound"),
    value("bounded", k::kSome,
          "Number of outputs that were judged by the bound over every order alone, as the order is unknown",
          [](const OperationCheckFinding& f) { return f.bounded > 0 ? std::optional(f.bounded) : std::nullopt; },
          {.absent = "for an operation whose order is known"}),
    value("explained", k::kCount, "Number of outputs whose verdict is explained",
          [](const OperationCheckFinding& f) { return f.explained(); }),
    value<&OperationCheckFinding::outside_model>("outside_model", k::kCount,
                                                 "Number of outputs whose verdict is outside the model"),
    value<&OperationCheckFinding::unlikely>("unlikely", k::kCount, "Number of outputs whose verdict is unlikely"),
    value<&OperationCheckFinding::impossible>("impossible", k::kCount, "Number of outputs whose verdict is impossible"),
    value<&OperationCheckFinding::improbable>(
        "improbable", k::kCount,
        "Number of explained outputs whose results uniform arrivals hardly ever give; not judged, as no arrival model "
        "was named"),
    value("freedom", k::kText,
          "The orders of an output's numbers that have to be excluded before a result is called impossible, and why "
          "these",
          [](const OperationCheckFinding& f) { return f.input.freedom; }),
    value("assumes", k::kText, kAssumesHelp,
          [](const OperationCheckFinding& f) { return text_or_none(f.input.assumes); }, {.null = ": nothing"}),
    group("outside_samples", kOutsideSamples),
    group("equals", kBitEquality),
    part("lookback", kLookback, [](const OperationCheckFinding& f) { return f.lookback.empty() ? nullptr : &f; },
         {.absent = "for other operations"}),
    part("suspects", kSuspect, "Outputs that are not explained, the worst first, at most 1000",
         [](const OperationCheckFinding& f) { return suspect_rows(f); }),
    part<&OperationCheckFinding::blind>(
        "unseen_changes", kUnseenChanges,
        "What this check cannot see, by number of contributions: changes of the launch order's result that give "
        "another result which is explained, or, where the results of the output are not all known, not excluded by "
        "proof"),
};

}  // namespace

constexpr TableOf<OperationCheckFinding> kCheckOperationDocument{
    {.key = "check_operation",
     .title = "Operation check",
     .help = "Written by `orderlab check --op ... --json`: is each output of this array explained by order?",
     .fields = kCheckOperationFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::OperationCheckFinding& finding) {
  return json_document(to_json(described::kCheckOperationDocument, finding));
}

std::string to_csv(const study::OperationCheckFinding& finding) {
  return csv_table(described::kSuspect, described::suspect_rows(finding));
}

}  // namespace orderlab
