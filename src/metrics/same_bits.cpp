#include "metrics/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/metrics.hpp"

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

Field measure_same_bits(const Measurement& m) {
  std::optional<double> probability;
  std::optional<ProbabilityInterval> interval;
  std::optional<std::uint64_t> runs;
  if (!m.evaluator.order().random()) {
    probability = 1;
    interval = {1, 1};
  } else if ((probability = same_bits_estimate(m.counts))) {
    interval = same_bits_interval(*probability, m.counts.samples());
    std::vector<double> shares;
    for (const ResultCounts::Result& r : m.counts.results())
      shares.push_back(static_cast<double>(r.count) / static_cast<double>(m.counts.samples()));
    runs = runs_to_differ(shares);
    if (*probability <= 1 - kDifferenceShown) runs = 2;  // the estimate from pairs, which shares overstate by 1/samples
    if (*probability == 0) runs.reset();
  }
  return std::vector<Record>{same_bits_record(probability, interval, runs)};
}

}  // namespace

std::optional<double> same_bits_estimate(const ResultCounts& counts) {
  if (counts.binned() || counts.samples() < 2) return std::nullopt;
  ExactSum agreeing;
  for (const ResultCounts::Result& r : counts.results())
    agreeing.add_product(static_cast<double>(r.count), static_cast<double>(r.count - 1));
  ExactSum all;
  all.add_product(static_cast<double>(counts.samples()), static_cast<double>(counts.samples() - 1));
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
  const std::vector<ResultCounts::Result> left = a.results();
  std::vector<ResultCounts::Result> right = b.results();
  const auto by_bits = [](const auto& x, const auto& y) { return x.bits < y.bits; };
  std::sort(right.begin(), right.end(), by_bits);
  ExactSum differing;
  differing.add_product(static_cast<double>(a.samples()), static_cast<double>(b.samples()));
  const double all = differing.value().to_double();
  for (const ResultCounts::Result& r : left) {
    const auto found = std::lower_bound(right.begin(), right.end(), r, by_bits);
    if (found != right.end() && found->bits == r.bits)
      differing.add_product(-static_cast<double>(r.count), static_cast<double>(found->count));
  }
  return differing.value().to_double() / all;
}

Record same_bits_record(std::optional<double> probability, std::optional<ProbabilityInterval> interval,
                        std::optional<std::uint64_t> runs) {
  Record record;
  record.set("probability", probability);
  record.set("low", interval ? std::optional(interval->low) : std::nullopt);
  record.set("high", interval ? std::optional(interval->high) : std::nullopt);
  record.set("runs_to_differ", runs ? Field(*runs) : Field());
  return record;
}

extern const Metric kSameBits;
const Metric kSameBits{
    .name = "same_bits",
    .unit = "probability",
    .summary =
        "that two runs give the same bits, with a 95 % interval for any distribution; runs_to_differ: runs that show a "
        "difference with probability 99.9 %, by the sampled frequencies, null where none was seen or all samples "
        "differ; "
        "all null with bins or one sample",
    .source = "[Hoeffding1963]",
    .measure = measure_same_bits,
};

}  // namespace orderlab
