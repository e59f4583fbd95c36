#include "show/crosscheck_fields.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"
#include "crosscheck/crosscheck_options.hpp"
#include "crosscheck/instructions/instruction.hpp"
#include "orderlab/format.hpp"
#include "show/crosscheck.hpp"
#include "show/crosscheck_runtime_fields.hpp"
#include "show/crosscheck_words.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::described {

namespace {

using study::CrossCheckFinding;
namespace k = kinds;

constexpr std::string_view kDevices[] = {"model", "host", "cuda", kCpuDevice};
constexpr Kind kDevice{.holds = Holds::text,
                       .schema = R"({"enum": ["model", "host", "cuda", "cpu", "openmp", "tbb", "mpi", "blas"]})"};
constexpr Field kDeviceFields[] = {itself<std::string>(kDevice)};
constexpr TableOf<std::string> kDeviceName{{.key = "device", .fields = kDeviceFields}};
constexpr Field kFormatFields[] = {itself<std::string>(k::kFormats)};
constexpr TableOf<std::string> kFormatName{{.key = "format", .fields = kFormatFields}};
constexpr Field kSizeFields[] = {itself<std::size_t>(k::kSome)};
constexpr TableOf<std::size_t> kSize{{.key = "size", .fields = kSizeFields}};

constexpr Field kCrossCheckConfigFields[] = {
    part<&CrossCheckFinding::devices>("devices", kDeviceName, "What ran the kernels, or whose runtimes were checked"),
    part<&CrossCheckFinding::kernels>("kernels", kTexts, "Kernels that were asked for by name; empty: all"),
    part("formats", kFormatName, "Formats that were asked for; a kernel runs in those of them that it has",
         [](const CrossCheckFinding& f) {
           std::vector<std::string> names;
           for (const Format format : f.options.formats) names.emplace_back(info(format).name);
           return names;
         }),
    part(
        "sizes", kSize, "Numbers of terms; empty: those of each runtime",
        [](const CrossCheckFinding& f) -> const auto& { return f.options.sizes; }),
    value(study::kFirstSeed, k::kCount, [](const CrossCheckFinding& f) { return f.options.seed; }),
    value(study::kCrosscheckSeeds, k::kSome, [](const CrossCheckFinding& f) { return f.options.seeds; }),
    value(study::kCrosscheckSamples, k::kSome, [](const CrossCheckFinding& f) { return f.options.samples; }),
};
constexpr TableOf<CrossCheckFinding> kCrossCheckConfig{
    {.key = "config", .title = "Crosscheck config", .help = kConfigSentence, .fields = kCrossCheckConfigFields}};

constexpr Field kLaunchShapeFields[] = {
    value<&LaunchShape::threads>("threads", k::kCount, "Threads per thread block"),
    value<&LaunchShape::items>("items", k::kCount, "Terms per thread"),
    value<&LaunchShape::grid>("grid", k::kCount, "Number of thread blocks; 0: as many as the terms take"),
};
constexpr TableOf<LaunchShape> kLaunchShape{{.key = "launch_shape", .fields = kLaunchShapeFields}};

/// A case that differs, with the format of its sums.
struct MismatchRow {
  const Mismatch& m;
  Format result;

  std::optional<std::string> bits(const std::optional<std::uint64_t>& sum) const {
    return sum ? std::optional(bits_text(result, *sum)) : std::nullopt;
  }
  std::optional<double> finite(const std::optional<std::uint64_t>& sum) const {
    const bool is_finite = sum && std::isfinite(value_of_bits(result, *sum));
    return is_finite ? std::optional(value_of_bits(result, *sum)) : std::nullopt;
  }
};
constexpr std::span<const std::string_view> kMismatchKinds = names_through<MismatchKind::fault>();
constexpr More kNullIfNotCompared{.null = "where there was nothing to compare"};
constexpr More kNullIfNotFinite{.null = "where there is none, or it is not finite"};
constexpr Field kMismatchFields[] = {
    value("n", k::kSome, "Number of terms", [](const MismatchRow& r) { return r.m.n; }),
    merged([](const MismatchRow& r) { return r.m.shape; }, kLaunchShape),
    value("terms", k::kText, "Distribution of the terms", [](const MismatchRow& r) { return r.m.terms; }),
    value("seed", k::kCount, "Seed of the terms", [](const MismatchRow& r) { return r.m.seed; }),
    value("sample", k::kCount, "Number of the arrival order", [](const MismatchRow& r) { return r.m.sample; }),
    value("claim", k::kText, kClaimHelp, [](const MismatchRow& r) { return r.m.claim; }),
    value(
        "model_bits", k::kBits, kClaimBitsHelp, [](const MismatchRow& r) { return r.bits(r.m.expected); },
        kNullIfNotCompared),
    value(
        "bits", k::kBits, "Bits that the kernel gave", [](const MismatchRow& r) { return r.bits(r.m.got); },
        kNullIfNotCompared),
    value("problem", k::kText, "What went wrong, where it is more than different bits",
          [](const MismatchRow& r) { return text_or_none(r.m.problem); }, {.null = "elsewhere"}),
    value("kind", k::kText,
          "What is wrong: bits that another order of the same terms may give (another_order), bits farther from the "
          "exact sum than any order (outside_bound), bits of which that is not known (undecided), float atomics that "
          "are not one for each partial sum (atomics), values that no order of the float atomics returns (returned), a "
          "run that is itself wrong (fault)",
          [](const MismatchRow& r) { return name_of(r.m.kind); }, {.words = kMismatchKinds}),
    value(
        "model_value", k::kNumber, "Value that the claim gives",
        [](const MismatchRow& r) { return r.finite(r.m.expected); }, kNullIfNotFinite),
    value(
        "value", k::kNumber, "Value that the kernel gave", [](const MismatchRow& r) { return r.finite(r.m.got); },
        kNullIfNotFinite),
    value("distance_ulp", k::kCount, "Floating-point numbers between the two",
          [](const MismatchRow& r) {
            const bool both = r.finite(r.m.expected) && r.finite(r.m.got);
            return both ? std::optional(ulp_distance(r.result, *r.m.expected, *r.m.got)) : std::nullopt;
          },
          {.null = "where one is not finite"}),
    value("basis", k::kText, "What the kind rests on, in words",
          [](const MismatchRow& r) { return text_or_none(r.m.basis); }, {.null = "where there is nothing to say"}),
    value("output", k::kCount, kDifferingOutputHelp, [](const MismatchRow& r) { return r.m.output; },
          {.absent = "for a kernel with one output"}),
};
constexpr TableOf<MismatchRow> kMismatch{{.key = "mismatch",
                                          .title = "Mismatch",
                                          .help = "A case in which a kernel and its claim differ.",
                                          .fields = kMismatchFields}};

struct KindRow {
  const MismatchesOfKind& kind;
  Format result;
};
constexpr Field kKindRowFields[] = {
    value("kind", k::kText, "What is wrong, as in first", [](const KindRow& r) { return name_of(r.kind.kind); },
          {.words = kMismatchKinds}),
    value("mismatches", k::kSome, "Number of cases", [](const KindRow& r) { return r.kind.count; }),
    part("first", kMismatch, "The first of them",
         [](const KindRow& r) {
           return MismatchRow{r.kind.first, r.result};
         }),
};
constexpr TableOf<KindRow> kKindRow{
    {.key = "kind", .title = "Mismatch kind", .help = "Cases of one kind.", .fields = kKindRowFields}};

struct ShapeRow {
  LaunchShape shape;
  Coverage covered;
};
constexpr Field kShapeRowFields[] = {
    merged<&ShapeRow::shape>(kLaunchShape),
    value("cases", k::kCount, "Number of cases", [](const ShapeRow& r) { return r.covered.cases; }),
    value("mismatches", k::kCount, "Number of cases that differ",
          [](const ShapeRow& r) { return r.covered.mismatches; }),
};
constexpr TableOf<ShapeRow> kShapeRow{
    {.key = "shape", .title = "Shape cases", .help = "Cases of one launch shape.", .fields = kShapeRowFields}};

constexpr Field kSizeCasesFields[] = {
    value("run", k::kCount, "Number of sizes that were run", [](const CrossCheckRow& r) { return r.sizes.size(); }),
    part("differ", kSize, "Sizes with cases that differ",
         [](const CrossCheckRow& r) {
           std::vector<std::size_t> differ;
           for (const auto& [n, covered] : r.sizes)
             if (covered.mismatches != 0) differ.push_back(n);
           return differ;
         }),
};
constexpr TableOf<CrossCheckRow> kSizeCases{{.key = "sizes", .title = "Size cases", .fields = kSizeCasesFields}};

std::string_view verdict_of(const CrossCheckRow& row) {
  if (row.cases == 0) return "not_run";
  if (row.mismatches != 0) return "differs";
  return claims(row) ? "identical" : "no_claim";
}

constexpr More kRowInBoth{.where = Where::both};
constexpr Field kCrossCheckRowFields[] = {
    value(
        "kernel", k::kText, "Name of the kernel", [](const CrossCheckRow& r) { return r.kernel->name; }, kRowInBoth),
    value("device", k::kText, "What ran it", [](const CrossCheckRow& r) { return r.device; },
          {.words = kDevices, .where = Where::both}),
    value(
        "format", k::kFormats, "Formats of terms, sums and result",
        [](const CrossCheckRow& r) { return to_string(r.formats); }, kRowInBoth),
    value<&CrossCheckRow::cases>("cases", k::kCount, "Number of cases", kRowInBoth),
    value<&CrossCheckRow::replays>(
        "replays", k::kCount, "Number of cases whose arrival order was reconstructed from what float atomics returned",
        kRowInBoth),
    value<&CrossCheckRow::mismatches>("mismatches", k::kCount, "Number of cases that differ", kRowInBoth),
    value("verdict", k::kText, "Whether they are identical to the claim",
          [](const CrossCheckRow& r) { return verdict_of(r); }, {.where = Where::csv}),
    part("first", kMismatch, "The first of them",
         [](const CrossCheckRow& r) {
           return r.first ? std::optional(MismatchRow{*r.first, r.formats.result}) : std::nullopt;
         },
         {.null = "where there is none"}),
    part("kinds", kKindRow, "Those that differ by kind",
         [](const CrossCheckRow& r) {
           std::vector<KindRow> rows;
           for (const MismatchesOfKind& kind : r.kinds) rows.push_back({kind, r.formats.result});
           return rows;
         }),
    part("shapes", kShapeRow, "The cases by launch shape",
         [](const CrossCheckRow& r) {
           std::vector<ShapeRow> rows;
           for (std::size_t i = 0; i < r.shapes.size(); ++i) rows.push_back({r.kernel->shapes[i], r.shapes[i]});
           return rows;
         }),
    group("sizes", kSizeCases, "The cases by number of terms"),
    value("unit_orders", k::kCount, "Number of replays of many outputs that one order of the units explains",
          [](const CrossCheckRow& r) {
            return r.kernel->outputs != nullptr ? std::optional(r.unit_orders) : std::nullopt;
          },
          {.absent = "for a kernel with one output"}),
};
constexpr TableOf<CrossCheckRow> kCrossCheckRow{{.key = "row",
                                                 .title = "Crosscheck row",
                                                 .help = "One kernel in one format on one device.",
                                                 .fields = kCrossCheckRowFields}};

constexpr Field kCrossCheckFields[] = {
    head<CrossCheckFinding>(),
    command<CrossCheckFinding>(R"("crosscheck")"),
    group("config", kCrossCheckConfig),
    value("cases", k::kCount, "Number of cases, over all kernels, or of calls of runtimes",
          [](const CrossCheckFinding& f) { return f.cases(); }),
    value("mismatches", k::kCount,
          "Number of cases in which a kernel and its claim differ, or of sums of runtimes that differ",
          [](const CrossCheckFinding& f) { return f.mismatches(); }),
    part(
        "rows", kCrossCheckRow, "The cases of each kernel in each format on each device",
        [](const CrossCheckFinding& f) -> const auto& { return f.checks.rows; }),
    part(
        "warnings", kTexts, "What identical sums do not show, a line each",
        [](const CrossCheckFinding& f) -> const auto& { return f.checks.warnings; }, kOfWarnings),
    part<&CrossCheckFinding::skipped>("skipped", kTexts, "Kernels that this CPU cannot run, and why, a line each",
                                      kOfWarnings),
    part<&CrossCheckFinding::runtimes>("runtimes", kRuntimeChecks, "The runtimes of the device, in place of kernels",
                                       {.absent = "where kernels were checked"}),
    partial([](const CrossCheckFinding& f) { return f.partial(); }),
};

}  // namespace

constexpr TableOf<CrossCheckFinding> kCrossCheckDocument{
    {.key = "crosscheck",
     .title = "Crosscheck",
     .help = "Written by `orderlab crosscheck --json`: kernels against the orders that they claim, or runtimes of this "
             "machine against those that they are said to add in.",
     .fields = kCrossCheckFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::CrossCheckFinding& finding) {
  if (finding.runtimes) return csv_table(described::kRuntimeRow, finding.runtimes->rows);
  return csv_table(described::kCrossCheckRow, finding.checks.rows);
}

std::string to_json(const study::CrossCheckFinding& finding) {
  return json_document(to_json(described::kCrossCheckDocument, finding));
}

}  // namespace orderlab
