#include "show/alternatives_fields.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "show/alternatives.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation_shared_fields.hpp"
#include "study/alternatives_options.hpp"

namespace orderlab::described {

namespace {

using study::Alternative;
using study::AlternativesFinding;
namespace k = kinds;

constexpr More kWhereNotGiven{.null = "where they were not given"};

constexpr Field kAlternativesConfigFields[] = {
    merged<&AlternativesFinding::input>(kOperationConfig),
    unit_arrival<&AlternativesFinding::arrival>(),
    value<&AlternativesFinding::samples_asked>(study::kAlternativesSamples, k::kCount),
    value<&AlternativesFinding::adders>(study::kAdders, k::kCount, kWhereNotGiven),
    value<&AlternativesFinding::latency>(study::kLatency, k::kCount, kWhereNotGiven),
    value<&AlternativesFinding::seed>(study::kSeed, k::kCount),
};
constexpr TableOf<AlternativesFinding> kAlternativesConfig{
    {.key = "config", .title = "Alternatives config", .help = kConfigSentence, .fields = kAlternativesConfigFields}};

constexpr More kInBoth{.where = Where::both};
constexpr Field kAlternativeFields[] = {
    value<&Alternative::name>("name", k::kText, "Name of the way", kInBoth),
    value<&Alternative::addition>("addition", k::kText, kAdditionHelp, kInBoth),
    value("removes", k::kText, "What is random in the operation as it runs and fixed in this way",
          [](const Alternative& a) { return text_or_none(a.removes); },
          {.null = "for other ways", .where = Where::both}),
    guarantee<&Alternative::guarantee>(Where::both),
    value<&Alternative::results>("results", k::kSome, "Number of different arrays in the samples", kInBoth),
    value<&Alternative::error>("error", k::kMagnitude,
                               "Mean over the outputs of |result - exact| / sum|x|; of runs, their mean", kInBoth),
    value<&Alternative::largest_error>(
        "max_error_ulp", k::kMagnitude,
        "Greatest error of all outputs, in ulps of the exact result; of runs, that of all", kInBoth),
    value<&Alternative::better_runs>("better_runs", k::kProbability,
                                     "Share of the runs of the operation whose error is smaller", kInBoth),
    value<&Alternative::additions>("additions", k::kCount,
                                   "Number of additions of two numbers, those of +0 left out; of exact sums, of "
                                   "integers of two words or more",
                                   kInBoth),
    value<&Alternative::height>("height", k::kCount, "Additions on the longest path from a term to an output", kInBoth),
    value<&Alternative::passes>(
        "passes", k::kCount, "Passes over the contributions in memory, at most, with those of a radix sort by output",
        kInBoth),
    value<&Alternative::cycles>("least_cycles", k::kCount,
                                "Lower bound on cycles, max(ceil(additions / adders), latency x height)",
                                {.null = "where adders were not given", .where = Where::both}),
};
constexpr TableOf<Alternative> kAlternative{{.key = "alternative",
                                             .title = "Alternative",
                                             .help = "One way to do the operation.",
                                             .fields = kAlternativeFields}};

constexpr std::size_t kErrorQuantiles = 20;
std::vector<double> error_quantiles(const AlternativesFinding& finding) {
  std::vector<double> quantiles;
  for (std::size_t i = 0; i <= kErrorQuantiles; ++i)
    quantiles.push_back(finding.run_errors[i * (finding.run_errors.size() - 1) / kErrorQuantiles]);
  return quantiles;
}
constexpr Field kErrorQuantileField[] = {itself<double>(k::kMagnitude)};
constexpr TableOf<double> kErrorQuantile{
    {.key = "quantile", .title = "Quantile", .help = "A quantile.", .fields = kErrorQuantileField}};

constexpr Field kAlternativesFields[] = {
    head<AlternativesFinding>(),
    command<AlternativesFinding>(R"("alternatives")"),
    group("config", kAlternativesConfig),
    partial<&AlternativesFinding::partial>(),
    merged<&AlternativesFinding::input>(kOperation),
    value<&AlternativesFinding::samples>("samples", k::kSome, kRunsDrawnHelp),
    value<&AlternativesFinding::adders>(study::kAdders, k::kCount, kWhereNotGiven),
    value<&AlternativesFinding::latency>(study::kLatency, k::kCount, kWhereNotGiven),
    part<&AlternativesFinding::alternatives>("alternatives", kAlternative,
                                             "The operation as it runs first, then every other way",
                                             {.list_rule = R"({"minItems": 1})"}),
    part("run_error_quantiles", kErrorQuantile, "The error of the runs at the quantiles 0, 0.05, ... 1",
         [](const AlternativesFinding& f) { return error_quantiles(f); },
         {.list_rule = R"({"minItems": 21, "maxItems": 21})"}),
};

}  // namespace

constexpr TableOf<AlternativesFinding> kAlternativesDocument{
    {.key = "alternatives",
     .title = "Alternatives",
     .help = "Written by `orderlab alternatives --json`: ways to do an operation, and what each costs and guarantees.",
     .fields = kAlternativesFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::AlternativesFinding& finding) {
  return json_document(to_json(described::kAlternativesDocument, finding));
}

std::string to_csv(const study::AlternativesFinding& finding) {
  return csv_table(described::kAlternative, finding.alternatives);
}

}  // namespace orderlab
