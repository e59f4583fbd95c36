#include "metrics/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr std::string_view kNotKnown = "with bins or a single sample";
constexpr Field kSameBitsFields[] = {
    value<&SameBits::probability>("probability", k::kProbability, "Probability that two runs give the same bits",
                                  {.null = kNotKnown}),
    value<&SameBits::low>("low", k::kProbability, "Lower limit of its 95 % interval", {.null = kNotKnown}),
    value<&SameBits::high>("high", k::kProbability, "Upper limit of its 95 % interval", {.null = kNotKnown}),
    value<&SameBits::runs_to_differ>("runs_to_differ", k::kCount,
                                     "Number of runs that show a difference with probability 99.9 %",
                                     {.null = "where no difference was seen, or all samples differ"}),
};
constexpr TableOf<SameBits> kSameBitsTable{
    {.key = "same_bits",
     .title = "Same bits",
     .help = "Whether two runs give the same bits. All null with bins or a single sample.",
     .fields = kSameBitsFields,
     .shared = true}};
constexpr Field kSameBitsField = metric("same_bits", kSameBitsTable);

}  // namespace

}  // namespace orderlab::described

namespace orderlab {

namespace {

// KL(p || q) of two coins, 0 < q < 1.
double divergence(double p, double q) {
  const double heads = p > 0 ? p * (std::log(p) - std::log(q)) : 0;  // p / q may overflow
  const double tails = p < 1 ? (1 - p) * (std::log1p(-p) - std::log1p(-q)) : 0;
  return heads + tails;
}

// The point between `estimate` and `outside` where the divergence reaches `limit`, rounded outward.
double interval_end(double estimate, double outside, double limit) {
  double inside = estimate;
  for (;;) {
    const double middle = inside + (outside - inside) / 2;
    if (middle == inside || middle == outside) return outside;
    (divergence(estimate, middle) <= limit ? inside : outside) = middle;
  }
}

SameBits of_samples(const Measurement& m) {
  SameBits same;
  if (!m.evaluator.order().random()) return {1, 1, 1, {}};
  same.probability = same_bits_estimate(m.results);
  if (!same.probability) return same;
  const ProbabilityInterval interval = same_bits_interval(*same.probability, m.samples->samples());
  same.low = interval.low;
  same.high = interval.high;
  std::vector<double> shares;
  for (const Weighted& r : m.results.values) shares.push_back(r.weight / static_cast<double>(m.samples->samples()));
  same.runs_to_differ = runs_to_differ(shares);
  // the estimate from pairs, which shares overstate by 1/samples
  if (*same.probability <= 1 - kDifferenceShown) same.runs_to_differ = 2;
  if (*same.probability == 0) same.runs_to_differ.reset();
  return same;
}

// The sum of (count / orders)^2, rounded once.
SameBits of_all_orders(const Distribution& results) {
  BigCount agreeing = 0;
  BigCount all = 0;
  std::vector<double> probabilities;
  for (std::size_t i = 0; i < results.size(); ++i) {
    add_product(agreeing, results.orders[i], results.orders[i]);
    all += results.orders[i];
    probabilities.push_back(results.values[i].weight);
  }
  const double probability = ratio(agreeing, all * all);
  return {probability, probability, probability, runs_to_differ(probabilities)};
}

SameBits measure_same_bits(const Measurement& m) {
  return m.samples != nullptr ? of_samples(m) : of_all_orders(m.results);
}

}  // namespace

std::optional<double> same_bits_estimate(const Distribution& results) {
  const double samples = results.total();
  if (samples < 2) return std::nullopt;
  ExactSum agreeing;
  for (const Weighted& r : results.values) agreeing.add_product(r.weight, r.weight - 1);
  ExactSum all;
  all.add_product(samples, samples - 1);
  return agreeing.value().to_double() / all.value().to_double();
}

ProbabilityInterval same_bits_interval(double estimate, std::uint64_t samples) {
  const double limit = std::log(2 / (1 - kSameBitsConfidence)) / static_cast<double>(samples / 2);
  return {estimate > 0 ? interval_end(estimate, 0, limit) : 0, estimate < 1 ? interval_end(estimate, 1, limit) : 1};
}

std::optional<std::uint64_t> runs_to_differ(std::span<const double> probabilities) {
  constexpr double kMostRuns = 0x1p53;
  constexpr double kAllEqual = 1 - kDifferenceShown;
  if (probabilities.empty()) return std::nullopt;
  const double largest = *std::max_element(probabilities.begin(), probabilities.end());
  const double fewest = std::log(kAllEqual) / std::log(largest);
  if (!(largest < 1) || fewest > kMostRuns) return std::nullopt;
  double runs = std::max(2.0, std::floor(fewest));
  const auto all_equal = [&] {
    double sum = 0;
    for (const double p : probabilities) sum += std::pow(p, runs);
    return sum;
  };
  while (all_equal() > kAllEqual) ++runs;
  return static_cast<std::uint64_t>(runs);
}

std::optional<double> differing_bits_estimate(const ResultCounts& a, const ResultCounts& b) {
  if (a.binned() || b.binned() || a.samples() == 0 || b.samples() == 0) return std::nullopt;
  const Format format = a.frame().format;
  std::unordered_map<std::uint64_t, double> right;
  for (const Weighted& r : b.results().values) right[bits_of(format, r.value)] = r.weight;
  ExactSum differing;
  differing.add_product(static_cast<double>(a.samples()), static_cast<double>(b.samples()));
  const double all = differing.value().to_double();
  for (const Weighted& r : a.results().values)
    if (const auto found = right.find(bits_of(format, r.value)); found != right.end())
      differing.add_product(-r.weight, found->second);
  return differing.value().to_double() / all;
}

extern const Metric kSameBits;
const Metric kSameBits{
    .name = described::kSameBitsField.name,
    .unit = "probability",
    .summary =
        "that two runs give the same bits, with a 95 % interval for any distribution; runs_to_differ: runs that show a "
        "difference with probability 99.9 %, by the sampled frequencies, null where none was seen or all samples "
        "differ; "
        "all null with bins or one sample",
    .source = "[Hoeffding1963]",
    .functions = kMeasuredBy<measure_same_bits>,
    .of_samples = &described::kSameBitsField,
};

}  // namespace orderlab
