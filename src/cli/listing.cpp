#include "cli/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cli/command.hpp"
#include "cli/devices.hpp"
#include "crosscheck/instructions/instruction.hpp"
#include "crosscheck/known_kernels.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/format.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/order.hpp"
#include "orderlab/serving.hpp"
#include "orderlab/solver.hpp"
#include "orderlab/terms.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::cli {

namespace {

constexpr ListColumn kSignature{"signature", "name"};
constexpr ListColumn kMeaning{"summary", "meaning"};
constexpr ListColumn kWhatItIs{"summary", "what it is"};
constexpr ListColumn kSource{"source", "source"};

constexpr ListColumn kOrderColumns[] = {kSignature, {"expression", "expression"}, kWhatItIs, kSource};
std::vector<ListEntry> order_entries() {
  std::vector<ListEntry> entries;
  for (const NamedOrder& order : named_orders())
    entries.push_back(
        {std::string(order.name),
         {signature(order.name, order.parameters), default_expression(order), order.summary, order.source}});
  return entries;
}

constexpr ListColumn kStageColumns[] = {kSignature, {"kind", "kind"}, {"guarantee", "guarantee"}, kMeaning, kSource};

// A stage whose first parameter is a format rounds to it, or has what follows do so.
std::string_view kind_of(const Stage& stage) {
  if (stage.reduces) return "reduce";
  return !stage.parameters.empty() && stage.parameters[0].name == "format" ? "round" : "arrange";
}

std::vector<ListEntry> stage_entries() {
  std::vector<ListEntry> entries;
  for (const Stage* stage : stages())
    entries.push_back({std::string(stage->name),
                       {signature(stage->name, stage->parameters), kind_of(*stage), name_of(stage->guarantee),
                        stage->summary, stage->source}});
  return entries;
}

constexpr ListColumn kArrivalColumns[] = {kSignature, {"stands_for", "stands for"}, kMeaning, kSource};
std::vector<ListEntry> arrival_entries() {
  std::vector<ListEntry> entries;
  for (const ArrivalModel* model : arrival_models())
    entries.push_back({std::string(model->name),
                       {signature(model->name, model->parameters), nullptr, model->summary, model->source}});
  for (const NamedArrival& named : named_arrivals())
    entries.push_back({std::string(named.name), {named.name, named.expression, named.summary, named.source}});
  return entries;
}

constexpr ListColumn kDistributionColumns[] = {
    kSignature, {"same_bits_everywhere", "same bits everywhere"}, kMeaning, kSource};
std::vector<ListEntry> distribution_entries() {
  std::vector<ListEntry> entries;
  for (const TermDistribution* d : distributions())
    entries.push_back({std::string(d->name),
                       {std::string(d->name) + std::string(d->parameters), d->portable ? "yes" : "same libm only",
                        d->summary, d->source}});
  return entries;
}

constexpr ListColumn kMetricColumns[] = {kSignature, {"unit", "unit"}, kMeaning, kSource};
std::vector<ListEntry> metric_entries() {
  std::vector<ListEntry> entries;
  for (const Metric* metric : metrics())
    entries.push_back({std::string(metric->name), {metric->name, metric->unit, metric->summary, metric->source}});
  return entries;
}

constexpr ListColumn kKernelColumns[] = {
    kSignature, {"claim", "claim for 1e6 terms"}, {"formats", "formats"}, {"runs_on", "runs on", ", "}, kWhatItIs,
    kSource};
Json runners_of(const KernelInfo& kernel) {
  if (kernel.runs == Runs::instruction) return Json::array({kCpuDevice});
  return kernel.runs == Runs::gpu_only ? Json::array({"cuda"}) : Json::array({"host", "cuda"});
}

std::vector<ListEntry> kernel_entries() {
  constexpr std::size_t kTerms = 1'000'000;  // the grid of a claim depends on how many terms there are
  std::vector<ListEntry> entries;
  for (const KernelInfo* kernel : known_kernels()) {
    Json formats = Json::array();
    for (const Format format : kernel->formats) formats.push_back(info(format).name);
    for (const Formats& mixed : kernel->mixed_formats) formats.push_back(to_string(mixed));
    entries.push_back({std::string(kernel->name),
                       {kernel->name, kernel->claim(kernel->shapes[0], kTerms), std::move(formats), runners_of(*kernel),
                        kernel->summary, kernel->source}});
  }
  return entries;
}

std::string_view only_use(const FormatUses& uses) {
  if (uses.terms && uses.sums && uses.results) return "";
  if (uses.terms) return "; of terms alone";
  return uses.sums ? "; of accumulators alone" : "; of results alone";
}

constexpr ListColumn kFormatColumns[] = {
    kSignature, {"aliases", "also called", ", "}, {"bits", "bits"}, {"unit_roundoff", "u"}, kMeaning};
std::vector<ListEntry> format_entries() {
  std::vector<ListEntry> entries;
  for (const FormatInfo& f : kAllFormats) {
    Json aliases = Json::array();
    for (const std::string_view alias : f.aliases)
      if (!alias.empty()) aliases.push_back(alias);
    entries.push_back({std::string(f.name),
                       {f.name, std::move(aliases), std::to_string(f.bits), fmt::format("2^-{}", f.precision),
                        fmt::format("{} significant bits, exponents {} to {}{}{}", f.precision, f.e_min, f.e_max,
                                    f.has_infinity() ? "" : ", no infinity, at most 448", only_use(f.uses))}});
  }
  return entries;
}

constexpr ListColumn kOperationColumns[] = {kSignature,
                                            kMeaning,
                                            {"adds", "what adds"},
                                            {"documented", "documented"},
                                            {"freedom", "a check allows"},
                                            {"assumes", "the model assumes"},
                                            kSource};
std::vector<ListEntry> operation_entries() {
  std::vector<ListEntry> entries;
  for (const TensorOperation* operation : operations())
    entries.push_back({std::string(operation->name),
                       {signature(operation->name, operation->parameters), operation->summary, operation->adds,
                        operation->documented, operation->freedom, operation->assumes, operation->source}});
  return entries;
}

constexpr ListColumn kLookbackColumns[] = {kSignature, kMeaning, kSource};
std::vector<ListEntry> lookback_entries() {
  std::vector<ListEntry> entries;
  for (const LookbackModel* model : lookback_models())
    entries.push_back(
        {std::string(model->name), {signature(model->name, model->parameters), model->summary, model->source}});
  return entries;
}

constexpr ListColumn kGpuColumns[] = {kSignature, {"multiprocessors", "multiprocessors"}, {"summary", "source"}};
std::vector<ListEntry> gpu_entries() {
  std::vector<ListEntry> entries;
  for (const Gpu& gpu : gpus())
    entries.push_back({std::string(gpu.name), {gpu.name, std::to_string(gpu.multiprocessors), gpu.source}});
  return entries;
}

constexpr ListColumn kUnitColumns[] = {kSignature,        {"aliases", "also called", ", "}, {"factors", "factors"},
                                       {"products", "L"}, {"fraction_bits", "F"},           {"sums", "sums", ", "},
                                       kMeaning,          {"evidence", "evidence"},         kSource};

std::string_view words_of(FusedRounding rounding) {
  if (rounding == FusedRounding::to_nearest) return "to nearest";
  return rounding == FusedRounding::e8m13 ? "cut to e8m13" : "cut";
}

constexpr ListColumn kServingColumns[] = {kSignature, kWhatItIs};
std::vector<ListEntry> serving_entries() {
  std::vector<ListEntry> entries;
  for (const ServingStack& stack : serving_stacks())
    entries.push_back({std::string(stack.name), {stack.name, stack.summary}});
  return entries;
}

std::vector<ListEntry> unit_entries() {
  std::vector<ListEntry> entries;
  for (const FusedUnit& unit : fused_units()) {
    Json aliases = Json::array();
    for (const std::string_view alias : unit.aliases)
      if (!alias.empty()) aliases.push_back(alias);
    Json sums = Json::array();
    for (const FormatInfo& f : kFormats)
      if (const FusedRounding rounding = unit.rounding(f.format); unit.built() && rounding != FusedRounding::none)
        sums.push_back(fmt::format("{} {}", f.name, words_of(rounding)));
    Json bits = unit.fraction_bits == 0 ? Json(nullptr) : Json(std::to_string(unit.fraction_bits));
    entries.push_back({std::string(unit.name),
                       {unit.name, std::move(aliases), unit.factors, std::to_string(unit.length), std::move(bits),
                        std::move(sums), summary_of(unit.step), unit.evidence, unit.source}});
  }
  return entries;
}

constexpr ListColumn kSolverColumns[] = {kSignature, kMeaning, kSource};
std::vector<ListEntry> solver_entries() {
  std::vector<ListEntry> entries;
  for (const Solver* solver : solvers())
    entries.push_back({std::string(solver->name), {solver->name, solver->summary, solver->source}});
  return entries;
}

constexpr ListColumn kMatrixColumns[] = {kSignature, kMeaning};
std::vector<ListEntry> matrix_entries() {
  std::vector<ListEntry> entries;
  for (const MatrixFormula* formula : matrix_formulas())
    entries.push_back({std::string(formula->name), {signature(formula->name, formula->parameters), formula->summary}});
  return entries;
}

constexpr ListColumn kListColumns[] = {kSignature, {"entries", "entries"}, {"summary", "what is listed"}};
std::vector<ListEntry> list_entries() {
  std::vector<ListEntry> entries;
  for (const Listing& listing : listings()) {
    const std::size_t count = listing.entries == list_entries ? listings().size() : listing.entries().size();
    entries.push_back({std::string(listing.name), {listing.name, std::to_string(count), listing.what}});
  }
  return entries;
}

constexpr Listing kListings[] = {
    {"orders", "order", "orders that have a name, each with the stages that it stands for", kOrderColumns,
     order_entries},
    {"stages", "stage", "stages, of which orders are made: `tile(256,4) | halving(256) | seq`", kStageColumns,
     stage_entries},
    {"arrivals", "arrival model", "models of the order in which partial sums arrive", kArrivalColumns, arrival_entries},
    {"distributions", "distribution", "distributions that terms are drawn from", kDistributionColumns,
     distribution_entries},
    {"metrics", "metric", "what is computed of sampled sums", kMetricColumns, metric_entries},
    {"kernels", "kernel", "kernels of `crosscheck`, each with the order that it claims", kKernelColumns,
     kernel_entries},
    {"formats", "format", "floating-point formats of terms, sums and results", kFormatColumns, format_entries},
    {"operations", "operation", "operations with many outputs, such as index_add", kOperationColumns,
     operation_entries},
    {"lookbacks", "look-back model", "models of how far a scan's tile looks back", kLookbackColumns, lookback_entries},
    {"gpus", "GPU", "GPUs that operations are lowered for", kGpuColumns, gpu_entries},
    {"units", "unit", "tensor cores and other units that add several products at once", kUnitColumns, unit_entries},
    {"serving", "serving stack", "servers of language models, each with the kernels of a library", kServingColumns,
     serving_entries},
    {"solvers", "solver", "iterative solvers of `solve`", kSolverColumns, solver_entries},
    {"matrices", "matrix", "matrices of `solve` that are made by formula", kMatrixColumns, matrix_entries},
    {"lists", "list", "all lists", kListColumns, list_entries},
};

constexpr auto kListingNames = [] {
  std::array<std::string_view, std::size(kListings)> names;
  std::transform(std::begin(kListings), std::end(kListings), names.begin(), [](const Listing& l) { return l.name; });
  return names;
}();

// ---- The document

namespace k = described::kinds;
using described::Field;
using described::Kind;
using described::TableOf;
using described::value;

/// An entry with the listing that it is of.
struct ListedEntry {
  const Listing& listing;
  const ListEntry& entry;

  /// Null where the listing has no such column.
  const Json* cell(std::string_view key) const {
    for (std::size_t c = 0; c < listing.columns.size(); ++c)
      if (listing.columns[c].key == key) return &entry.cells[c];
    return nullptr;
  }

  std::optional<Value> text(std::string_view key) const {
    const Json* const found = cell(key);
    if (found == nullptr) return {};
    return found->is_null() ? Value() : Value(found->text());
  }

  std::optional<std::vector<std::string>> texts(std::string_view key) const {
    const Json* const found = cell(key);
    if (found == nullptr) return {};
    std::vector<std::string> all;
    for (const Json& one : *found) all.push_back(one.text());
    return all;
  }
};

constexpr Kind kDigits{.holds = described::Holds::text, .schema = R"({"type": "string", "pattern": "^[0-9]+$"})"};
constexpr Kind kPowerOfTwo{.holds = described::Holds::text,
                           .schema = R"({"type": "string", "pattern": "^2\\^-[0-9]+$"})"};
constexpr Kind kRunsOn{.holds = described::Holds::text, .schema = R"({"enum": ["host", "cuda", "cpu"]})"};
constexpr Field kFormatName[] = {described::itself<std::string>(k::kFormats)};
constexpr TableOf<std::string> kFormatNames{{.key = "format_name", .fields = kFormatName}};
constexpr Field kRunner[] = {described::itself<std::string>(kRunsOn)};
constexpr TableOf<std::string> kRunners{{.key = "runner", .fields = kRunner}};
constexpr std::string_view kStageKinds[] = {"arrange", "reduce", "round"};
constexpr std::string_view kSameBits[] = {"yes", "same libm only"};
constexpr described::More kElsewhere{.absent = "in other lists"};

// The order in which every listing has those of its columns that it has.
constexpr Field kListEntryFields[] = {
    value("name", k::kText, "Name", [](const ListedEntry& e) { return e.entry.name; }),
    value("signature", k::kText, "Name with parameters",
          [](const ListedEntry& e) { return e.cell("signature")->text(); }),
    value(
        "expression", k::kText, "Of an order: its expression with default parameters",
        [](const ListedEntry& e) { return e.text("expression"); }, kElsewhere),
    value("kind", k::kText,
          "Of a stage: whether it arranges partial sums, adds them, or changes the format that they are rounded to",
          [](const ListedEntry& e) { return e.text("kind"); }, {.absent = "in other lists", .words = kStageKinds}),
    value(
        "guarantee", k::kGuarantee, "Of a stage: which runs give the same bits",
        [](const ListedEntry& e) { return e.text("guarantee"); }, kElsewhere),
    value("stands_for", k::kText, "Of an arrival model: the model with parameters that a name stands for",
          [](const ListedEntry& e) { return e.text("stands_for"); },
          {.null = "for a model itself", .absent = "in other lists"}),
    value("same_bits_everywhere", k::kText, "Of a distribution: whether terms have the same bits on every machine",
          [](const ListedEntry& e) { return e.text("same_bits_everywhere"); },
          {.absent = "in other lists", .words = kSameBits}),
    value(
        "unit", k::kText, "Of a metric: its unit", [](const ListedEntry& e) { return e.text("unit"); }, kElsewhere),
    value(
        "claim", k::kText, "Of a kernel: the order that it claims for 1e6 terms",
        [](const ListedEntry& e) { return e.text("claim"); }, kElsewhere),
    part(
        "formats", kFormatNames, "Of a kernel: formats that it has",
        [](const ListedEntry& e) { return e.texts("formats"); }, kElsewhere),
    part(
        "runs_on", kRunners, "Of a kernel: what can run it", [](const ListedEntry& e) { return e.texts("runs_on"); },
        kElsewhere),
    part(
        "aliases", described::kTexts, "Of a format or unit: other names that are read",
        [](const ListedEntry& e) { return e.texts("aliases"); }, kElsewhere),
    value(
        "bits", kDigits, "Of a format: its width in bits, as text", [](const ListedEntry& e) { return e.text("bits"); },
        kElsewhere),
    value(
        "unit_roundoff", kPowerOfTwo, "Of a format: its unit roundoff, such as 2^-53",
        [](const ListedEntry& e) { return e.text("unit_roundoff"); }, kElsewhere),
    value(
        "entries", kDigits, "Of a list: how many entries it has, as text",
        [](const ListedEntry& e) { return e.text("entries"); }, kElsewhere),
    value(
        "multiprocessors", kDigits, "Of a GPU: number of multiprocessors, as text",
        [](const ListedEntry& e) { return e.text("multiprocessors"); }, kElsewhere),
    value(
        "factors", k::kText, "Of a unit: the format of the factors of its products",
        [](const ListedEntry& e) { return e.text("factors"); }, kElsewhere),
    value(
        "products", kDigits, "Of a unit: products that it adds in one step, as text",
        [](const ListedEntry& e) { return e.text("products"); }, kElsewhere),
    value("fraction_bits", k::kText, "Of a unit: fraction bits kept of the greatest exponent, as text",
          [](const ListedEntry& e) { return e.text("fraction_bits"); },
          {.null = "where nothing is cut", .absent = "in other lists"}),
    part(
        "sums", described::kTexts, "Of a unit: formats that sums are kept in, and how they are rounded to each",
        [](const ListedEntry& e) { return e.texts("sums"); }, kElsewhere),
    value(
        "evidence", k::kText, "Of a unit: what its model was compared with: GPU rows, a CPU, or models alone",
        [](const ListedEntry& e) { return e.text("evidence"); }, kElsewhere),
    value("summary", k::kText, "What it is, in words", [](const ListedEntry& e) { return e.cell("summary")->text(); }),
    value(
        "adds", k::kText, "Of an operation: what adds an output", [](const ListedEntry& e) { return e.text("adds"); },
        kElsewhere),
    value(
        "documented", k::kText,
        "Of an operation: what the library's documentation says of equal bits; empty where it says nothing",
        [](const ListedEntry& e) { return e.text("documented"); }, kElsewhere),
    value(
        "freedom", k::kText,
        "Of an operation: the orders of an output's numbers that `orderlab check` has to exclude before it calls a "
        "result impossible, and why these",
        [](const ListedEntry& e) { return e.text("freedom"); }, kElsewhere),
    value(
        "assumes", k::kText, "Of an operation: what its model assumes beyond that; empty where nothing",
        [](const ListedEntry& e) { return e.text("assumes"); }, kElsewhere),
    value("source", k::kText, "Where it comes from: a key of the list of references, a file or a document",
          [](const ListedEntry& e) { return e.text("source"); }, {.absent = "in lists that name no source"}),
};
constexpr TableOf<ListedEntry> kListEntry{{.key = "entry",
                                           .title = "Listing entry",
                                           .help = "One thing that has a name. Which keys it has depends on the list.",
                                           .fields = kListEntryFields}};

constexpr Field kListFields[] = {
    described::merged([](const Listed&) { return described::Head{}; }, described::kHead),
    described::constant<Listed>("command", k::kText, described::kCommandHelp, R"("list")"),
    value("list", k::kText, "What is listed", [](const Listed& l) { return l.listing.name; }, {.words = kListingNames}),
    part("entries", kListEntry, "The entries; one where a name was given",
         [](const Listed& l) {
           std::vector<ListedEntry> all;
           for (const ListEntry& entry : l.entries) all.push_back({l.listing, entry});
           return all;
         },
         {.list_rule = R"({"minItems": 1})"}),
};

// Which keys the entries of each listing have, as rules of a schema.
constexpr void write_rules(const auto& write) {
  const auto write_keys = [&](const Listing& listing) {
    write(R"(["name")");
    for (const ListColumn& column : listing.columns) {
      write(R"(, ")");
      write(column.key);
      write(R"(")");
    }
    write("]");
  };
  write(R"({"allOf": [)");
  for (const Listing& listing : kListings) {
    write(&listing == kListings ? "" : ", ");
    write(R"({"if": {"properties": {"list": {"const": ")");
    write(listing.name);
    write(R"("}}}, "then": {"properties": {"entries": {"items": {"required": )");
    write_keys(listing);
    write(R"(, "propertyNames": {"enum": )");
    write_keys(listing);
    write("}}}}}}");
  }
  write("]}");
}
constexpr auto kListRules = [] {
  constexpr std::size_t kSize = [] {
    std::size_t size = 0;
    write_rules([&](std::string_view text) { size += text.size(); });
    return size;
  }();
  std::array<char, kSize> all{};
  auto end = all.begin();
  write_rules([&](std::string_view text) { end = std::copy(text.begin(), text.end(), end); });
  return all;
}();

}  // namespace

constexpr TableOf<Listed> kListDocument{{.key = "list",
                                         .title = "Listing",
                                         .help = "Written by `orderlab list WHAT --json`: everything that has a name.",
                                         .fields = kListFields,
                                         .rules = std::string_view(kListRules.data(), kListRules.size())}};

std::size_t Listing::summary() const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [](const ListColumn& c) { return c.key == "summary"; });
  return static_cast<std::size_t>(found - columns.begin());
}

std::span<const Listing> listings() { return kListings; }

std::vector<std::string> names_in(std::string_view listing) {
  if (listing == "commands") return command_names();
  if (listing == "devices") return device_names();
  if (listing == "lists") return {kListingNames.begin(), kListingNames.end()};
  std::vector<std::string> names;
  for (const Listing& candidate : kListings)
    if (candidate.name == listing)
      for (const ListEntry& entry : candidate.entries()) names.push_back(entry.name);
  return names;
}

std::string cell_text(const ListColumn& column, const Json& cell) {
  if (cell.is_null() || (cell.is_array() && cell.size() == 0)) return "-";
  if (cell.is_text()) return cell.text();
  std::string text;
  for (const Json& part : cell) text += (text.empty() ? "" : std::string(column.separator)) + part.text();
  return text;
}

}  // namespace orderlab::cli
