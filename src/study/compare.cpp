#include "orderlab/study/compare.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <map>
#include <set>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "metrics/best_of.hpp"
#include "metrics/mean_difference.hpp"
#include "metrics/randomization.hpp"
#include "orderlab/error.hpp"
#include "study/compare_options.hpp"

namespace orderlab::study {

namespace {

using Names = std::vector<std::string>;

std::string in_few_words(const Names& names) {
  constexpr std::size_t kNamed = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i > 0 ? ", " : "") + shortened(names[i]);
  return names.size() > kNamed ? text + ", ..." : text;
}

/// "A", "B", and the file.
std::string name_of(const char* arm, const Scores& scores) {
  return scores.source.empty() ? arm : std::string(arm) + " (" + scores.source + ")";
}

std::map<std::string, double> by_seed(const std::string& name, const Scores& scores) {
  std::map<std::string, double> scores_of;
  for (std::size_t i = 0; i < scores.values.size(); ++i)
    if (!scores_of.emplace(scores.seeds[i], scores.values[i]).second)
      throw Error(ErrorKind::usage,
                  name + ": seed " + in_quotes(scores.seeds[i]) + " occurs twice; pairs take one score of each seed");
  return scores_of;
}

/// Keeps the scores of seeds that both have, in the order of A, and names the others.
void pair_by_seed(const Scores& a, const Scores& b, CompareFinding& finding) {
  const auto of_a = by_seed(name_of("A", a), a);
  const auto of_b = by_seed(name_of("B", b), b);
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const auto partner = of_b.find(a.seeds[i]);
    if (partner == of_b.end()) {
      finding.a.left_out.push_back(a.seeds[i]);
      continue;
    }
    finding.a.scores.push_back(a.values[i]);
    finding.b.scores.push_back(partner->second);
  }
  for (const std::string& seed : b.seeds)
    if (!of_a.contains(seed)) finding.b.left_out.push_back(seed);
  if (finding.a.scores.empty())
    throw RequestError(ErrorKind::usage, "no seed of A is one of B: A has " + in_few_words(a.seeds) + "; B has " +
                                             in_few_words(b.seeds) + "; leave `paired` out to compare all runs");
  if (finding.a.scores.size() < 2)
    throw Error(ErrorKind::usage,
                "A and B share 1 seed: how much a difference varies from seed to seed takes 2 or more");
}

void pair(const Scores& a, const Scores& b, CompareFinding& finding) {
  if (!a.seeds.empty() && !b.seeds.empty()) return pair_by_seed(a, b, finding);
  if (a.seeds.empty() != b.seeds.empty())
    throw Error(ErrorKind::usage, std::string(a.seeds.empty() ? "B has seeds and A" : "A has seeds and B") +
                                      " has none: give both, or none to pair scores by position");
  if (a.values.size() != b.values.size())
    throw RequestError(ErrorKind::usage, "A has " + std::to_string(a.values.size()) + " scores and B " +
                                             std::to_string(b.values.size()) +
                                             ": pairs by position need as many; leave `paired` out, or give seeds");
  finding.a.scores = a.values;
  finding.b.scores = b.values;
}

void require_two(const char* arm, const Scores& scores) {
  if (scores.values.size() < 2)
    throw Error(ErrorKind::usage, name_of(arm, scores) + " has " + std::to_string(scores.values.size()) +
                                      " score: how much it varies from run to run takes 2 or more");
}

/// Squares of larger scores overflow, those of smaller ones vanish.
void require_squares(const Scores& a, const Scores& b) {
  constexpr double kGreatest = 1e100;
  double largest = 0;
  for (const Scores* scores : {&a, &b})
    for (const double score : scores->values) largest = std::max(largest, std::fabs(score));
  if (largest > kGreatest || (largest > 0 && largest < 1 / kGreatest))
    throw Error(ErrorKind::usage, "the largest score is " + shortest(largest) +
                                      ": give scores in a unit in which it is from 1e-100 to 1e+100");
}

void add_items(ComparedArm& arm, std::uint64_t items) {
  if (arm.least < 0 || arm.greatest > 1)
    throw RequestError("items", std::to_string(items),
                       "scores must be shares of the items, from 0 to 1, and " +
                           shortest(arm.least < 0 ? arm.least : arm.greatest) + " is not; divide per cent by 100");
  arm.item_error = std::sqrt(arm.mean * (1 - arm.mean) / static_cast<double>(items));
  if (arm.sd > 0) arm.item_share = std::min(1.0, *arm.item_error * *arm.item_error / (arm.sd * arm.sd));
}

void measure(ComparedArm& arm, const CompareRequest& request) {
  const MeanDifference mean = one_sample_difference(Moments(arm.scores), kCompareConfidence);
  arm.mean = mean.difference;
  arm.low = mean.low;
  arm.high = mean.high;
  const std::uint64_t n = arm.scores.size();
  arm.sd = mean.standard_error * std::sqrt(static_cast<double>(n));
  arm.best_of = request.best_of.value_or(n);
  if (arm.best_of > n)
    throw RequestError("best_of", std::to_string(arm.best_of),
                       "there are " + std::to_string(n) + " runs of a model; the best of more is not known");
  std::vector<double> ordered = arm.scores;
  if (request.lower_is_better)
    for (double& score : ordered) score = -score;
  std::sort(ordered.begin(), ordered.end());
  arm.best_gain = best_of_gain(ordered, arm.best_of);
  const auto [least, greatest] = std::minmax_element(arm.scores.begin(), arm.scores.end());
  arm.least = *least;
  arm.greatest = *greatest;
  if (request.items) add_items(arm, *request.items);
}

/// A score is a decimal rounded to a double, by u |score| at most, and a difference of two rounds once more. So equal
/// differences of decimals lie within 8 u of the largest score of each other: these become equal.
std::vector<double> differences_of(const CompareFinding& finding) {
  std::vector<double> d;
  double largest = 0;
  bool equal = true;
  for (std::size_t i = 0; i < finding.a.scores.size(); ++i) {
    d.push_back(finding.a.scores[i] - finding.b.scores[i]);
    largest = std::max({largest, std::fabs(finding.a.scores[i]), std::fabs(finding.b.scores[i])});
  }
  for (const double x : d) equal = equal && std::fabs(x - d.front()) <= 8 * 0x1p-53 * largest;
  if (equal) std::fill(d.begin(), d.end(), d.front());
  return d;
}

void test_difference(CompareFinding& finding) {
  MeanDifference found;
  RandomizationTest randomized;
  if (finding.request.paired) {
    const std::vector<double> d = differences_of(finding);
    found = one_sample_difference(Moments(d), kCompareConfidence);
    finding.sd_difference = found.standard_error * std::sqrt(static_cast<double>(d.size()));
    randomized = sign_flip_test(finding.a.scores, finding.b.scores, finding.request.seed);
  } else {
    found = welch_difference(Moments(finding.a.scores), Moments(finding.b.scores), kCompareConfidence);
    randomized = permutation_test(finding.a.scores, finding.b.scores, finding.request.seed);
  }
  finding.difference = found.difference;
  finding.low = found.low;
  finding.high = found.high;
  finding.t = found.t;
  finding.degrees = found.degrees;
  finding.p = found.p;
  finding.p_permutation = randomized.p;
  finding.permutation_error = drawing_error(randomized);
  finding.arrangements = randomized.arrangements;
  finding.unequal_pairs = randomized.unequal_pairs;
  finding.all_arrangements = randomized.exact;
}

/// Variance of one difference of two runs, or of a pair.
double variance_of(const CompareFinding& finding) {
  return finding.sd_difference ? *finding.sd_difference * *finding.sd_difference
                               : finding.a.sd * finding.a.sd + finding.b.sd * finding.b.sd;
}

/// Degrees of freedom of that variance where both models count alike [Satterthwaite1946].
double variance_degrees(const CompareFinding& finding) {
  if (finding.sd_difference) return static_cast<double>(finding.a.scores.size() - 1);
  const double of_a = finding.a.sd * finding.a.sd;
  const double of_b = finding.b.sd * finding.b.sd;
  return (of_a + of_b) * (of_a + of_b) /
         (of_a * of_a / static_cast<double>(finding.a.scores.size() - 1) +
          of_b * of_b / static_cast<double>(finding.b.scores.size() - 1));
}

/// With standard deviations `times` as large: as if the difference were smaller.
std::optional<std::uint64_t> runs_for(const CompareFinding& finding, double difference, double times) {
  const double scaled = difference / times;
  const double power = finding.request.power;
  return least_runs([&](double runs) { return power_with(finding, scaled, runs); }, power,
                    normal_runs(scaled, variance_of(finding), power, kCompareLevel));
}

void plan_runs(CompareFinding& finding) {
  const double difference = std::fabs(finding.request.difference.value_or(finding.difference));
  if (!(difference > 0) || !finding.p) return;
  PowerPlan plan{.difference = difference};
  const auto runs_of = [](const ComparedArm& arm) { return static_cast<double>(arm.scores.size()); };
  plan.power_now = finding.sd_difference ? power_with(finding, difference, runs_of(finding.a))
                                         : welch_power(difference, {runs_of(finding.a), finding.a.sd},
                                                       {runs_of(finding.b), finding.b.sd}, kCompareLevel);
  plan.runs = runs_for(finding, difference, 1);
  const double degrees = variance_degrees(finding);
  const boost::math::chi_squared_distribution<double> chi_square(degrees);
  const double tail = (1 - kCompareConfidence) / 2;
  plan.runs_low = runs_for(finding, difference, std::sqrt(degrees / quantile(complement(chi_square, tail))));
  plan.runs_high = runs_for(finding, difference, std::sqrt(degrees / quantile(chi_square, tail)));
  const double formula = std::ceil(normal_runs(difference, variance_of(finding), finding.request.power, kCompareLevel));
  if (formula < 0x1p53) plan.normal_runs = static_cast<std::uint64_t>(formula);
  finding.plan = plan;
}

}  // namespace

void validate(const CompareRequest& request) {
  const FloatEnvironment environment;
  kCompareOptions.check(request);
  if (request.difference && !(std::fabs(*request.difference) > 0 && std::isfinite(*request.difference)))
    throw RequestError("difference", shortest(*request.difference), "must be a finite number other than 0");
}

CompareFinding compare(const Scores& a, const Scores& b, const CompareRequest& request) {
  const FloatEnvironment environment;
  validate(request);
  require_two("A", a);
  require_two("B", b);
  require_squares(a, b);
  if (a.percent != b.percent)
    throw Error(ErrorKind::usage, "the scores of " + std::string(a.percent ? "A" : "B") +
                                      " are in per cent and those of the other are not; write both with %, or none");
  CompareFinding finding;
  finding.request = request;
  finding.percent = a.percent;
  finding.a.source = a.source;
  finding.b.source = b.source;
  if (request.paired) {
    pair(a, b, finding);
  } else {
    finding.a.scores = a.values;
    finding.b.scores = b.values;
    const std::set<std::string> seeds(a.seeds.begin(), a.seeds.end());
    for (const std::string& seed : std::set<std::string>(b.seeds.begin(), b.seeds.end()))
      if (seeds.contains(seed)) ++finding.unused_pairs;
  }
  measure(finding.a, request);
  measure(finding.b, request);
  test_difference(finding);
  plan_runs(finding);
  return finding;
}

double power_with(const CompareFinding& finding, double difference, double runs) {
  const FloatEnvironment environment;
  return finding.sd_difference ? paired_power(difference, {runs, *finding.sd_difference}, kCompareLevel)
                               : welch_power(difference, {runs, finding.a.sd}, {runs, finding.b.sd}, kCompareLevel);
}

}  // namespace orderlab::study
