#include "show/fused_probe_fields.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"
#include "order/stages/fused.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/fused_probe.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "study/probe_options.hpp"

namespace orderlab::described {

namespace {

using study::FusedProbeFinding;
namespace k = kinds;

constexpr Kind kFusedRepeats{Holds::count, R"({"type": "integer", "minimum": 2})", {}};
constexpr std::span<const std::string_view> kFusedVerdicts = names_through<FusedVerdict::not_fused>();
constexpr std::span<const std::string_view> kFusedSteps = names_through<FusedStep::swapped_pairs>();
constexpr std::span<const std::string_view> kFusedRoundingWords = names_through<FusedRounding::e8m13>();

constexpr Field kFusedProbeConfigFields[] = {
    value("box", k::kText, "The black box as it was given: a command, FILE:SYMBOL, MODULE:FUNCTION",
          [](const FusedProbeFinding& f) { return f.asked.box.name; }),
    value("kind", k::kText, "What it is: function, command, lines, library, python or kernel",
          [](const FusedProbeFinding& f) { return f.asked.box.kind; }),
    value("fused", k::kTruth, "That its fused steps were asked for", [](const FusedProbeFinding&) { return true; },
          {.constant = "true"}),
    value("n", k::kSome, "Number of products", [](const FusedProbeFinding& f) { return f.asked.n; }),
    value("format", k::kFormats, "Format of the factors, and of the answers of a library",
          [](const FusedProbeFinding& f) { return to_string(f.asked.formats); }),
    value("repeats", kFusedRepeats, "Number of calls with equal products that had to agree",
          [](const FusedProbeFinding& f) { return f.asked.repeats; }),
};
constexpr TableOf<FusedProbeFinding> kFusedProbeConfig{
    {.key = "config", .title = "Fused probe config", .fields = kFusedProbeConfigFields}};

constexpr More kNotShown{.null = "where no answer shows it", .where = Where::both};
constexpr Field kFusedReadingFields[] = {
    value("sums", k::kFormat, "Format of the sums", [](const FusedReading& r) { return info(r.sums).name; },
          {.where = Where::both}),
    value("last_first", k::kTruth, "Whether steps go from the last products to the first",
          [](const FusedReading& r) { return r.last_first; }),
    value("step", k::kText, "What a step does with its products and the sum before, as `orderlab list units` says",
          [](const FusedReading& r) { return r.step ? std::optional(name_of(*r.step)) : std::nullopt; },
          {.null = "where no step that is known fits", .words = kFusedSteps, .where = Where::both}),
    value("length", k::kSome, "L: products of a step; the number of products stands for that or more",
          [](const FusedReading& r) { return r.length == 0 ? std::nullopt : std::optional(r.length); },
          {.null = "where no step that is known fits", .where = Where::both}),
    value("run", k::kSome, "Products after which a new sum begins; the sums are added in turn",
          [](const FusedReading& r) { return r.run == 0 ? std::nullopt : std::optional(r.run); },
          {.null = "where none does", .where = Where::both}),
    value<&FusedReading::aligns_sum>("aligns_sum", k::kTruth,
                                     "Whether the sum before is aligned, and cut, with the products of a step",
                                     {.null = "where no answer shows it"}),
    value("fraction_bits", k::kSome, "F: fraction bits that are kept of the greatest exponent",
          [](const FusedReading& r) {
            return r.fraction_bits ? std::optional(static_cast<std::uint64_t>(*r.fraction_bits)) : std::nullopt;
          },
          {.null = "where nothing is cut", .where = Where::both}),
    value<&FusedReading::fraction_open>("fraction_open", k::kTruth,
                                        "Whether F may be greater: the formats show no more bits"),
    value(
        "precision", k::kSome, "Bits of a sum",
        [](const FusedReading& r) {
          return r.precision ? std::optional(static_cast<std::uint64_t>(*r.precision)) : std::nullopt;
        },
        kNotShown),
    value("rounding", k::kText,
          "Rounding of a step: rz, cut; rne, to nearest; e8m13, cut to 14 bits; none that is known",
          [](const FusedReading& r) { return r.rounding ? std::optional(name_of(*r.rounding)) : std::nullopt; },
          {.null = "where no answer shows it", .words = kFusedRoundingWords, .where = Where::both}),
    value<&FusedReading::flushes_factors>("flushes_factors", k::kTruth, "Whether subnormal factors become zero",
                                          {.null = "where no answer shows it"}),
    value<&FusedReading::flushes_sums>("flushes_sums", k::kTruth, "Whether subnormal sums become zero",
                                       {.null = "where no answer shows it"}),
};
constexpr TableOf<FusedReading> kFusedReading{{.key = "reading",
                                               .title = "Fused reading",
                                               .help = "What directed calls show of the steps.",
                                               .fields = kFusedReadingFields}};

constexpr Field kFusedFactorsFields[] = {
    value<&Factors::x>("x", k::kNumber, "The first factor"),
    value<&Factors::y>("y", k::kNumber, "The second factor"),
};
constexpr TableOf<Factors> kFusedFactors{
    {.key = "factors", .title = "Factors", .help = "A product.", .fields = kFusedFactorsFields}};

constexpr Field kFusedDisagreementFields[] = {
    value("order", k::kText, "The nearest order, whose first other answer comes last",
          [](const FusedDisagreement& d) { return text_or_none(d.order); }, {.null = "where no order says it"}),
    value<&FusedDisagreement::call>("call", k::kSome, "Number of the call, from 1"),
    value<&FusedDisagreement::expected>("expected", k::kNumber, "What the order gives"),
    value<&FusedDisagreement::answer>("answer", k::kNumber, "What the box gave"),
    part<&FusedDisagreement::products>("products", kFusedFactors,
                                       "The products of the call, in the order of the steps"),
};
constexpr TableOf<FusedDisagreement> kFusedDisagreement{{.key = "disagreement",
                                                         .title = "Fused disagreement",
                                                         .help = "An answer that no order tried gives.",
                                                         .fields = kFusedDisagreementFields}};

constexpr Field kFusedProbeFields[] = {
    head<FusedProbeFinding>(),
    command<FusedProbeFinding>(R"("probe")"),
    group("config", kFusedProbeConfig, "What was asked"),
    value("verdict", k::kText,
          "named: units of the table agree with every answer. revealed: none does, but a step with parameters of its "
          "own. "
          "not fused: no step that is known",
          [](const FusedProbeFinding& f) { return name_of(f.probed.verdict); }, {.words = kFusedVerdicts}),
    value("reason", k::kText, "Why it is not fused",
          [](const FusedProbeFinding& f) { return text_or_none(f.probed.reason); }, {.null = "where it is"}),
    part(
        "units", kTexts, "Orders with units of the table that agree with every answer, as --order takes them",
        [](const FusedProbeFinding& f) -> const auto& { return f.probed.units; }),
    part(
        "described", kTexts, "Orders with a step of its own parameters that agree with every answer",
        [](const FusedProbeFinding& f) -> const auto& { return f.probed.described; }),
    value("words", k::kText, "A step with the parameters found that agrees and that no order can say",
          [](const FusedProbeFinding& f) { return text_or_none(f.probed.words); }, {.null = "where there is none"}),
    part(
        "reading", kFusedReading, [](const FusedProbeFinding& f) -> const auto& { return f.probed.reading; }),
    value("calls", k::kCount, "Number of sums that the box was asked for",
          [](const FusedProbeFinding& f) { return f.probed.calls(); }),
    value("directed", k::kCount, "Of these, those that the reading took",
          [](const FusedProbeFinding& f) { return f.probed.directed; }),
    value("random", k::kCount, "Those of random products, those that tell orders apart included",
          [](const FusedProbeFinding& f) { return f.probed.random; }),
    value("repeated", k::kCount, "Those with products that had been asked",
          [](const FusedProbeFinding& f) { return f.probed.repeated; }),
    part("disagrees", kFusedDisagreement, "The first answer that the nearest order does not give",
         [](const FusedProbeFinding& f) -> const auto& { return f.probed.disagrees; },
         {.null = "where an order agrees with all, or calls with equal products differ"}),
};

std::optional<std::string> best_order(const FusedProbe& probed) {
  if (!probed.units.empty()) return probed.units.front();
  return probed.described.empty() ? std::nullopt : std::optional(probed.described.front());
}

constexpr Field kFusedProbeRowFields[] = {
    value("verdict", k::kText, "What the box is", [](const FusedProbeFinding& f) { return name_of(f.probed.verdict); },
          {.words = kFusedVerdicts, .where = Where::csv}),
    value("order", k::kText, "The first order that agrees with every answer",
          [](const FusedProbeFinding& f) { return best_order(f.probed); },
          {.null = "where there is none", .where = Where::csv}),
    merged([](const FusedProbeFinding& f) -> const FusedReading& { return f.probed.reading; }, kFusedReading),
    value("calls", k::kCount, "Number of sums that the box was asked for",
          [](const FusedProbeFinding& f) { return f.probed.calls(); }, {.where = Where::csv}),
};
constexpr TableOf<FusedProbeFinding> kFusedProbeRow{
    {.key = "row", .title = "Fused probe row", .fields = kFusedProbeRowFields}};

}  // namespace

constexpr TableOf<FusedProbeFinding> kFusedProbeDocument{
    {.key = "probe_fused",
     .title = "Fused probe",
     .help = "Written by `orderlab probe --fused --json`: in which fused steps does a black box add products?",
     .fields = kFusedProbeFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::FusedProbeFinding& finding) {
  return csv_table(described::kFusedProbeRow, std::span(&finding, 1));
}

std::string to_json(const study::FusedProbeFinding& finding) {
  return json_document(to_json(described::kFusedProbeDocument, finding));
}

}  // namespace orderlab
