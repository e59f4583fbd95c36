#include "show/verify_fields.hpp"

#include <optional>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "crosscheck/verify_options.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr Field kCaptureEntryFields[] = {
    value<&CaptureEntry::name>("name", k::kText, "Its name"),
    value<&CaptureEntry::value>("value", k::kText, "Its value"),
};
constexpr TableOf<CaptureEntry> kCaptureEntry{
    {.key = "capture_entry", .fields = kCaptureEntryFields, .form = Form::member}};

constexpr Field kVerifiedKernelFields[] = {
    value("kernel", k::kText, "Name of the kernel", [](const VerifyRow& r) { return r.kernel; }),
    value("format", k::kFormat, "Format of its terms", [](const VerifyRow& r) { return info(r.format).name; }),
    value<&VerifyRow::runs>("runs", k::kSome, "Number of runs"),
    value<&VerifyRow::identical>("identical", k::kCount, "Number whose claim is one order that gives just these bits"),
    value<&VerifyRow::replayed>(
        "replayed", k::kCount,
        "Number in which an order of the float atomics gives what they returned, and just these bits"),
    value<&VerifyRow::explained>("explained", k::kCount,
                                 "Number that some order gives, or inside the range of sampled orders"),
    value<&VerifyRow::unlikely>("unlikely", k::kCount, "Number beyond that range, inside the bound over every order"),
    value<&VerifyRow::mismatches>("mismatches", k::kCount, "Number that do not match the claim"),
};
constexpr TableOf<VerifyRow> kVerifiedKernel{{.key = "verified_kernel",
                                              .title = "Verified kernel",
                                              .help = "The runs of one kernel in one format.",
                                              .fields = kVerifiedKernelFields}};

/// A run with its verdict: a row of CSV; those that differ are in JSON.
struct RunRow {
  const std::string& file;
  const CapturedRun& run;
  const VerifiedRun& verified;
};

std::vector<RunRow> run_rows(const VerifiedCapture& capture, bool all) {
  std::vector<RunRow> rows;
  for (std::size_t i = 0; i < capture.runs.size(); ++i)
    if (all || capture.runs[i].mismatch) rows.push_back({capture.file, capture.capture.runs[i], capture.runs[i]});
  return rows;
}

constexpr Field kRunRowFields[] = {
    value("file", k::kText, "The capture", [](const RunRow& r) { return r.file; }, {.where = Where::csv}),
    value("line", k::kSome, "Its line in the file", [](const RunRow& r) { return r.run.line; }, {.where = Where::both}),
    value("kernel", k::kText, "Name of the kernel", [](const RunRow& r) { return r.run.kernel; },
          {.where = Where::both}),
    value("format", k::kFormat, "Format of the terms", [](const RunRow& r) { return info(r.run.format).name; },
          {.where = Where::both}),
    value("n", k::kSome, "Number of terms", [](const RunRow& r) { return r.run.n; }, {.where = Where::both}),
    value("input", k::kText, "Distribution of the terms", [](const RunRow& r) { return r.run.input; },
          {.where = Where::csv}),
    value("seed", k::kCount, "Seed of the terms", [](const RunRow& r) { return r.run.seed; }, {.where = Where::csv}),
    value("repeat", k::kCount, "Number of the run among those that differ in nothing else",
          [](const RunRow& r) { return r.run.repeat; }, {.where = Where::csv}),
    value("claim", k::kText, kClaimHelp, [](const RunRow& r) { return r.verified.claim; }, {.where = Where::both}),
    value("verdict", k::kText,
          "The verdict on the run: too unlikely for all runs of the capture together, or impossible",
          [](const RunRow& r) { return name_of(r.verified.verdict); },
          {.words = names_from<RunVerdict::unlikely, RunVerdict::impossible>(), .where = Where::both}),
    value("mismatch", k::kCount, "1 if it does not match, else 0",
          [](const RunRow& r) { return std::uint64_t{r.verified.mismatch}; }, {.where = Where::csv}),
    value("model_bits", k::kBits, kClaimBitsHelp,
          [](const RunRow& r) {
            const auto& bits = r.verified.expected;
            return bits ? std::optional(bits_text(r.run.formats().result, *bits)) : std::nullopt;
          },
          {.null = "where that is not one result", .where = Where::both}),
    value("bits", k::kBits, "Bits that were captured; of many outputs, those of the first that differs",
          [](const RunRow& r) {
            if (!r.run.rows) return std::optional(bits_text(r.run.formats().result, r.run.bits));
            return r.verified.output ? std::optional(bits_text(r.run.formats().result, r.verified.captured))
                                     : std::nullopt;
          },
          {.null = "where none does", .where = Where::both}),
    value("problem", k::kText, "What is wrong, where it is more than different bits",
          [](const RunRow& r) { return text_or_none(r.verified.problem); },
          {.null = "elsewhere", .where = Where::both}),
    value("output", k::kCount, kDifferingOutputHelp, [](const RunRow& r) { return r.verified.output; },
          {.absent = "for a kernel with one output"}),
};
constexpr TableOf<RunRow> kRunRow{{.key = "verified_difference",
                                   .title = "Verified difference",
                                   .help = "A run that does not match.",
                                   .fields = kRunRowFields}};

constexpr Field kCaptureFields[] = {
    value<&VerifiedCapture::file>("file", k::kText, "Its name as given"),
    part(
        "facts", kCaptureEntry, "What the capture says of the GPU and its software, by name",
        [](const VerifiedCapture& c) -> const auto& { return c.capture.facts; }),
    part(
        "probes", kCaptureEntry, "What it found out about the GPU's arithmetic, by name",
        [](const VerifiedCapture& c) -> const auto& { return c.capture.probes; }),
    value("runs", k::kCount, "Number of recorded runs", [](const VerifiedCapture& c) { return c.runs.size(); }),
    value("mismatches", k::kCount, "Number of runs that do not match the claim of their kernel",
          [](const VerifiedCapture& c) { return c.mismatches(); }),
    part("rows", kVerifiedKernel, "The runs by kernel and format",
         [](const VerifiedCapture& c) { return rows_of(c.capture, c.runs); }),
    part("differences", kRunRow, "The runs that do not match the claim of their kernel",
         [](const VerifiedCapture& c) { return run_rows(c, false); }),
    partial([](const VerifiedCapture& c) { return c.partial(); }),
};
constexpr TableOf<VerifiedCapture> kCapture{
    {.key = "capture", .title = "Capture", .help = "One file.", .fields = kCaptureFields}};

constexpr Field kVerifyConfigFields[] = {
    value<&VerifyFinding::confidence>(kVerifyConfidence, k::kProbability),
    value<&VerifyFinding::seed>(kVerifySeed, k::kCount),
};
constexpr TableOf<VerifyFinding> kVerifyConfig{
    {.key = "config", .title = "Verification config", .fields = kVerifyConfigFields}};

constexpr Field kVerifyFields[] = {
    head<VerifyFinding>(),
    command<VerifyFinding>(R"("verify")"),
    group("config", kVerifyConfig, "All that is needed to repeat the document beside the captures, and nothing else"),
    part<&VerifyFinding::captures>("captures", kCapture, "The captures in the order given",
                                   {.list_rule = R"({"minItems": 1})"}),
    partial<&VerifyFinding::partial>(),
};

}  // namespace

constexpr TableOf<VerifyFinding> kVerifyDocument{
    {.key = "verify",
     .title = "Verification",
     .help = "Written by `orderlab verify --json`: recorded GPU runs against the orders that their kernels claim.",
     .fields = kVerifyFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const VerifyFinding& finding) {
  std::string csv = described::csv_titles(described::kRunRow);
  for (const VerifiedCapture& one : finding.captures)
    for (const described::RunRow& row : described::run_rows(one, true))
      csv += described::csv_row(described::kRunRow, row);
  return csv;
}

std::string to_json(const VerifyFinding& finding) {
  return json_document(to_json(described::kVerifyDocument, finding));
}

}  // namespace orderlab
