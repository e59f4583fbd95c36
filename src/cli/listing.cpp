#include "cli/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "crosscheck/known_kernels.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/coordinate_matrix.hpp"
#include "orderlab/format.hpp"
#include "orderlab/lookback.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/order.hpp"
#include "orderlab/solver.hpp"
#include "orderlab/terms.hpp"

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
std::vector<ListEntry> stage_entries() {
  std::vector<ListEntry> entries;
  for (const Stage* stage : stages())
    entries.push_back({std::string(stage->name),
                       {signature(stage->name, stage->parameters), stage->reduces ? "reduce" : "arrange",
                        name_of(stage->guarantee), stage->summary, stage->source}});
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
std::vector<ListEntry> kernel_entries() {
  constexpr std::size_t kTerms = 1'000'000;  // the grid of a claim depends on how many terms there are
  std::vector<ListEntry> entries;
  for (const KernelInfo* kernel : known_kernels()) {
    Json formats = Json::array();
    for (const Format format : kernel->formats) formats.push_back(info(format).name);
    entries.push_back({std::string(kernel->name),
                       {kernel->name, kernel->claim(kernel->shapes[0], kTerms), std::move(formats),
                        kernel->runs == Runs::gpu_only ? Json::array({"cuda"}) : Json::array({"host", "cuda"}),
                        kernel->summary, kernel->source}});
  }
  return entries;
}

constexpr ListColumn kFormatColumns[] = {
    kSignature, {"aliases", "also called", ", "}, {"bits", "bits"}, {"unit_roundoff", "u"}, kMeaning};
std::vector<ListEntry> format_entries() {
  std::vector<ListEntry> entries;
  for (const FormatInfo& f : orderlab::kFormats) {
    Json aliases = Json::array();
    for (const std::string_view alias : f.aliases)
      if (!alias.empty()) aliases.push_back(alias);
    entries.push_back({std::string(f.name),
                       {f.name, std::move(aliases), std::to_string(f.bits), fmt::format("2^-{}", f.precision),
                        fmt::format("{} significant bits, exponents {} to {}", f.precision, f.e_min, f.e_max)}});
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

constexpr Listing kListings[] = {
    {"orders", "order", kOrderColumns, order_entries},
    {"stages", "stage", kStageColumns, stage_entries},
    {"arrivals", "arrival model", kArrivalColumns, arrival_entries},
    {"distributions", "distribution", kDistributionColumns, distribution_entries},
    {"metrics", "metric", kMetricColumns, metric_entries},
    {"kernels", "kernel", kKernelColumns, kernel_entries},
    {"formats", "format", kFormatColumns, format_entries},
    {"operations", "operation", kOperationColumns, operation_entries},
    {"lookbacks", "look-back model", kLookbackColumns, lookback_entries},
    {"gpus", "GPU", kGpuColumns, gpu_entries},
    {"solvers", "solver", kSolverColumns, solver_entries},
    {"matrices", "matrix", kMatrixColumns, matrix_entries},
};

constexpr auto kListingNames = [] {
  std::array<std::string_view, std::size(kListings)> names;
  std::transform(std::begin(kListings), std::end(kListings), names.begin(), [](const Listing& l) { return l.name; });
  return names;
}();

}  // namespace

std::size_t Listing::summary() const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [](const ListColumn& c) { return c.key == "summary"; });
  return static_cast<std::size_t>(found - columns.begin());
}

std::span<const Listing> listings() { return kListings; }

std::span<const std::string_view> listing_names() { return kListingNames; }

std::vector<std::string> names_in(std::string_view listing) {
  std::vector<std::string> names;
  for (const Listing& candidate : kListings)
    if (candidate.name == listing)
      for (const ListEntry& entry : candidate.entries()) names.push_back(entry.name);
  return names;
}

std::string cell_text(const ListColumn& column, const Json& cell) {
  if (cell.is_null()) return "-";
  if (cell.is_text()) return cell.text();
  std::string text;
  for (const Json& part : cell) text += (text.empty() ? "" : std::string(column.separator)) + part.text();
  return text;
}

}  // namespace orderlab::cli
