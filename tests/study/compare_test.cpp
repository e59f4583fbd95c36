// A comparison of two models: what is compared with what, and what is refused.
#include "orderlab/study/compare.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "orderlab/error.hpp"

using namespace orderlab;
using study::compare;
using study::CompareFinding;
using study::CompareRequest;

namespace {

Scores scores(std::vector<double> values, std::vector<std::string> seeds = {}) { return {"", values, seeds}; }

const Scores kBase = scores({0.5, 0.52, 0.51, 0.53});
const Scores kBetter = scores({0.56, 0.55, 0.58, 0.57});

bool roughly(double a, double b) { return std::fabs(a - b) <= 1e-12; }

std::string refused(const Scores& a, const Scores& b, const CompareRequest& request) {
  try {
    compare(a, b, request);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a clear difference is shown, with the interval of A - B") {
  const CompareFinding found = compare(kBase, kBetter, {});
  CHECK(roughly(found.difference, -0.05));
  CHECK(found.shown());
  CHECK(!found.a_is_better());
  CHECK(*found.low < -0.05);
  CHECK(*found.high < 0);
  CHECK(found.all_arrangements);
  CHECK(found.arrangements == 70);
  CHECK(found.p_permutation == 2.0 / 70);
  CHECK(roughly(found.a.mean, 0.515));
  CHECK(roughly(found.a.sd, std::sqrt(5e-4 / 3)));
  const CompareFinding other = compare(kBetter, kBase, {});
  CHECK(roughly(*other.low, -*found.high));
  CHECK(other.a_is_better());
  CHECK(compare(kBase, kBetter, {.lower_is_better = true}).a_is_better());
}

TEST_CASE("pairs are made by seed, whatever the order, and the others are named") {
  const Scores a = scores({0.5, 0.6, 0.7, 0.9}, {"1", "2", "3", "9"});
  const Scores b = scores({0.72, 0.1, 0.53, 0.61}, {"3", "5", "1", "2"});
  const CompareFinding found = compare(a, b, {.paired = true});
  CHECK(found.a.scores == std::vector<double>{0.5, 0.6, 0.7});
  CHECK(found.b.scores == std::vector<double>{0.53, 0.61, 0.72});
  CHECK(found.a.left_out == std::vector<std::string>{"9"});
  CHECK(found.b.left_out == std::vector<std::string>{"5"});
  CHECK(roughly(found.difference, -0.02));
  CHECK(roughly(*found.sd_difference, 0.01));
  CHECK(found.degrees == 2);
  CHECK(found.arrangements == 8);
  CHECK(compare(a, b, {}).unused_pairs == 3);
  CHECK(compare(kBase, kBetter, {.paired = true}).arrangements == 16);  // by position
}

TEST_CASE("runs are planned for the difference asked for, else for the one observed") {
  const CompareFinding observed = compare(kBase, kBetter, {});
  REQUIRE(observed.plan);
  CHECK(roughly(observed.plan->difference, 0.05));
  const CompareFinding wanted = compare(kBase, kBetter, {.difference = -0.005});
  REQUIRE(wanted.plan);
  CHECK(wanted.plan->difference == 0.005);
  const double runs = static_cast<double>(*wanted.plan->runs);
  CHECK(study::power_with(wanted, 0.005, runs) >= 0.8);
  CHECK(study::power_with(wanted, 0.005, runs - 1) < 0.8);
  CHECK(*wanted.plan->normal_runs <= *wanted.plan->runs);
  CHECK(*wanted.plan->runs_low < *wanted.plan->runs);
  CHECK(*wanted.plan->runs < *wanted.plan->runs_high);
  CHECK(*compare(kBase, kBetter, {.difference = 0.005, .power = 0.95}).plan->runs > *wanted.plan->runs);
  CHECK(std::fabs(wanted.plan->power_now - study::power_with(wanted, 0.005, 4)) < 1e-12);
  CHECK(!compare(kBase, kBase, {}).plan);  // no difference
}

TEST_CASE("without spread the permutation test decides") {
  const CompareFinding found = compare(scores({1, 1, 1, 1, 1}), scores({2, 2, 2, 2, 2}), {});
  CHECK(!found.p);
  CHECK(!found.low);
  CHECK(!found.plan);
  CHECK(!found.a.low);
  CHECK(found.p_permutation == 2.0 / 252);
  CHECK(found.shown());
  // Differences of decimals that are equal but for their roundings have no spread either.
  const CompareFinding pairs = compare(scores({0.5, 0.6, 0.7}), scores({0.6, 0.7, 0.8}), {.paired = true});
  CHECK(!pairs.p);
  CHECK(pairs.sd_difference == 0.0);
  CHECK(!pairs.shown());
}

TEST_CASE("the best of k lies above the mean, or below where lower is better") {
  const CompareFinding found = compare(kBase, kBetter, {});
  CHECK(found.a.best_of == 4);
  CHECK(roughly(found.a.best_gain, 0.53 - 0.515));
  const CompareFinding two = compare(scores({0, 0, 1}), scores({0, 1, 1}), {.lower_is_better = true, .best_of = 2});
  // Lowest of two of three: of {0,0,1} always 0, of {0,1,1} 0, 0, 1.
  CHECK(roughly(two.a.best_gain, 1.0 / 3));
  CHECK(roughly(two.b.best_gain, 2.0 / 3 - 1.0 / 3));
  CHECK(compare(kBase, kBetter, {.best_of = 1}).a.best_gain < 1e-15);
}

TEST_CASE("items give the binomial standard error and its largest share of the variance") {
  const CompareFinding found = compare(kBase, kBetter, {.items = 10'000});
  CHECK(roughly(*found.a.item_error, std::sqrt(0.515 * 0.485 / 10'000)));
  CHECK(roughly(*found.a.item_share, 0.515 * 0.485 / 10'000 / (5e-4 / 3)));
  CHECK(*compare(kBase, kBetter, {.items = 10}).a.item_share == 1);
  const CompareFinding equal = compare(scores({1, 1}), scores({0, 1}), {.items = 10});
  CHECK(equal.a.item_error == 0.0);
  CHECK(!equal.a.item_share);
}

TEST_CASE("a comparison refuses what it cannot answer") {
  const CompareRequest paired{.paired = true};
  CHECK(says(refused(scores({1}), kBase, {}), "A has 1 score"));
  CHECK(says(refused(kBase, {"b.csv", {1}, {}}, {}), "B (b.csv) has 1 score"));
  CHECK(says(refused(kBase, scores({1, 2}), paired), "A has 4 scores and B 2"));
  CHECK(says(refused(kBase, scores({1, 2}, {"1", "2"}), paired), "B has seeds and A has none"));
  CHECK(says(refused(scores({1, 2}, {"1", "2"}), scores({1, 2}, {"3", "4"}), paired),
             "no seed of A is one of B: A has 1, 2; B has 3, 4"));
  CHECK(says(refused(scores({1, 2}, {"1", "2"}), scores({1, 2}, {"2", "4"}), paired), "share 1 seed"));
  CHECK(says(refused(scores({1, 2}, {"1", "1"}), scores({1, 2}, {"2", "4"}), paired), "A: seed '1' occurs twice"));
  CHECK(says(refused(scores({1, 2e200}), kBase, {}), "the largest score is 2e+200"));
  CHECK(says(refused(scores({1e-200, 0}), scores({0, 0}), {}), "the largest score is 1e-200"));
  CHECK(says(refused(kBase, scores({1, 2}), {.items = 100}), "and 2 is not; divide per cent by 100"));
  CHECK(says(refused(kBase, scores({-1, 0}), {.items = 100}), "and -1 is not"));
  CHECK(says(refused(kBase, kBetter, {.items = 0}), "`items` 0"));
  CHECK(says(refused(kBase, kBetter, {.best_of = 5}), "`best_of` 5: there are 4 runs"));
  CHECK(says(refused(kBase, kBetter, {.best_of = 0}), "`best_of` 0"));
  CHECK(says(refused(kBase, kBetter, {.difference = 0}), "`difference` 0"));
  CHECK(says(refused(kBase, kBetter, {.power = 1}), "`power` 1"));
}
