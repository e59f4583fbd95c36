// Calibration of sampled tolerances: how often the true coverage falls short, and how far out the limit lies.
#include "orderlab/tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/terms.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr double kCoverage = 0.999;
constexpr double kConfidence = 0.95;
constexpr std::size_t kTerms = 200;
constexpr std::uint64_t kExperiments = 60;
constexpr std::uint64_t kFreshDraws = 200'000;
constexpr std::uint64_t kFreshSeed = 1'000'000;  // experiments have the seeds 1 to 60
constexpr Formats kAllSingle{Format::fp32, Format::fp32, Format::fp32};

struct Calibration {
  std::vector<double> limits;  // one an experiment, ascending
  std::uint64_t short_of_coverage = 0;
  double true_quantile = 0;

  double median() const { return limits[limits.size() / 2]; }
};

// Draws with one order seed on fixed terms, or each on a new input.
DeviationTally draws(const Terms& terms, const char* distribution, bool new_inputs, Against against, std::uint64_t seed,
                     std::uint64_t keep, std::uint64_t count) {
  if (new_inputs)  // seeds of terms that are neighbours from one experiment to the next
    return sample_inputs({distribution, kTerms, kAllSingle, seed}, parse_order("random"), seed, against, keep,
                         {.end = count})
        .tally;
  const auto evaluator = Evaluator::make(parse_order("random"), terms.view(), kAllSingle, seed);
  return sample_deviations(*evaluator, Yardstick(exact_sum(terms.view()), Format::fp32), against, keep, {.end = count});
}

Calibration calibrate(const char* distribution, bool new_inputs, Against against) {
  const Terms terms = generate_terms(distribution, kTerms, Format::fp32, 1);
  const SamplingRule rule = sampling_rule(kCoverage, kConfidence);
  constexpr auto kBeyond = static_cast<std::uint64_t>((1 - kCoverage) * kFreshDraws + 0.5);
  const DeviationTally fresh = draws(terms, distribution, new_inputs, against, kFreshSeed, kBeyond + 1, kFreshDraws);
  Calibration c;
  c.true_quantile = fresh.limit(kBeyond + 1).absolute;
  for (std::uint64_t e = 1; e <= kExperiments; ++e) {
    const DeviationTally tally = draws(terms, distribution, new_inputs, against, e, rule.rank, rule.samples);
    c.limits.push_back(tally.limit(rule.rank).absolute);
    // The coverage is short when more fresh draws than the coverage leaves lie beyond: the quantile is larger.
    if (c.limits.back() < c.true_quantile) ++c.short_of_coverage;
  }
  std::sort(c.limits.begin(), c.limits.end());
  return c;
}

void check(const std::string& distribution, bool new_inputs, Against against) {
  const Calibration c = calibrate(distribution.c_str(), new_inputs, against);
  const std::string what = distribution + (new_inputs ? ", new inputs" : "") +
                           (against == Against::run ? ", against a run" : ", against the exact sum");
  CAPTURE(what);
  MESSAGE("short of coverage " << c.short_of_coverage << " of " << kExperiments << ", median limit "
                               << c.median() / c.true_quantile << " times the true quantile");
  // 5 % of 60 and three binomial standard deviations: 3 + 3 sqrt(60 * 0.05 * 0.95) = 8.06.
  CHECK(c.short_of_coverage <= 8);
  CHECK(c.median() >= c.true_quantile);
  CHECK(c.median() <= 1.5 * c.true_quantile);
}

}  // namespace

TEST_CASE("a sampled tolerance covers as much as it says, and is at most 1.5 times the true quantile") {
  for (const Against against : {Against::exact, Against::run})
    for (const char* distribution : {"uniform(0,1)", "normal(0,1)", "cancel(1e6)"}) check(distribution, false, against);
}

TEST_CASE("so does one for new inputs") {
  for (const Against against : {Against::exact, Against::run}) check("normal(0,1)", true, against);
}

// Tolerances for comparisons of 250 outputs: each of `experiments` draws its own.
Calibration calibrate_outputs(double coverage, double confidence, std::uint64_t comparisons,
                              std::uint64_t experiments) {
  constexpr std::uint64_t kOutputs = 250;
  const InputFamily family{"uniform(-0.5,0.5)", 50, kAllSingle, kFreshSeed};
  const Order order = parse_order("random");
  std::vector<double> maxima;
  for (std::uint64_t k = 0; k < comparisons; ++k) {
    const SampleOptions outputs{.begin = k * kOutputs, .end = (k + 1) * kOutputs};
    maxima.push_back(sample_inputs(family, order, kFreshSeed, Against::run, 1, outputs).tally.limit(1).absolute);
  }
  std::sort(maxima.begin(), maxima.end());
  const SamplingRule rule = sampling_rule(coverage_of_one(coverage, kOutputs), confidence);
  Calibration c;
  c.true_quantile = maxima[static_cast<std::size_t>(coverage * static_cast<double>(comparisons))];
  for (std::uint64_t e = 1; e <= experiments; ++e) {
    const InputFamily inputs{family.distribution, family.n, family.formats, e};
    c.limits.push_back(sample_inputs(inputs, order, e, Against::run, rule.rank, {.end = rule.samples})
                           .tally.limit(rule.rank)
                           .absolute);
    if (c.limits.back() < c.true_quantile) ++c.short_of_coverage;
  }
  std::sort(c.limits.begin(), c.limits.end());
  return c;
}

void check_outputs(double coverage, double confidence, std::uint64_t comparisons, std::uint64_t experiments) {
  const Calibration c = calibrate_outputs(coverage, confidence, comparisons, experiments);
  MESSAGE(c.short_of_coverage << " of " << experiments << " tolerances for 250 outputs are short of coverage "
                              << coverage << " at confidence " << confidence << ", median "
                              << c.median() / c.true_quantile << " times the true quantile");
  // As many as the confidence allows, and three binomial standard deviations.
  const double allowed = static_cast<double>(experiments) * (1 - confidence);
  CHECK(static_cast<double>(c.short_of_coverage) <= allowed + 3 * std::sqrt(confidence * allowed));
  CHECK(c.median() >= c.true_quantile);
  CHECK(c.median() <= 1.5 * c.true_quantile);
}

TEST_CASE("the largest of 250 outputs is within a tolerance for so many as often as it says") {
  check_outputs(0.9, 0.9, 4000, trials(40));
}

// Two million draws an experiment: only in tests/long, whose scale is above 1.
TEST_CASE("so it is at the coverage and confidence that users get without asking") {
  if (trials(100) <= 100) return;
  check_outputs(kCoverage, kConfidence, 100'000, 200);
}
