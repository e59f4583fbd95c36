// Flips of tokens: statistics against closed forms, comparison of tokens, what rounding does not explain. Longer than
// most files: both are tested on the same made-up runs.
#include "orderlab/study/infer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/flips.hpp"
#include "orderlab/philox.hpp"

using namespace orderlab;
using namespace orderlab::study;

namespace {

/// Uniform and normal numbers of a seed, in turn.
class FlipDraws {
 public:
  explicit FlipDraws(std::uint64_t seed) : stream_(seed, streams::kTerms, 0) {}

  double uniform() {  // in (0, 1)
    const RandomStream::Block block = stream_.block(next_++);
    return (static_cast<double>(block[0]) + 0.5) / 4294967296.0;
  }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

AnsweredToken token_of(const std::string& chosen, double logprob, const std::string& other, double margin) {
  return {.chosen = {chosen, logprob}, .others = {{other, logprob - margin}}};
}

/// Token "a" with the margin, or "b" where that is negative.
AnsweredToken token_with(double margin) {
  return margin >= 0 ? token_of("a", -0.5, "b", margin) : token_of("b", -0.5, "a", -margin);
}

Answer answer_with(const std::string& id, const std::vector<double>& margins) {
  Answer answer{.custom_id = id, .id = {}, .name = id, .tokens = {}};
  for (const double margin : margins) answer.tokens.push_back(token_with(margin));
  return answer;
}

struct TwoRuns {
  AnswerRun first{.name = "first.jsonl", .answers = {}};
  AnswerRun second{.name = "second.jsonl", .answers = {}};

  void add(const std::vector<double>& before, const std::vector<double>& after) {
    const std::string id = "p" + std::to_string(first.answers.size());
    first.answers.push_back(answer_with(id, before));
    second.answers.push_back(answer_with(id, after));
  }
  InferFinding finding(const InferRequest& request = {}) const { return infer(first, &second, request); }
};

/// Margins are exponential of rate 1; each run's are those with D of a normal number of standard deviation s.
TwoRuns noisy_runs(std::uint64_t seed, std::size_t answers, std::size_t tokens, double s) {
  FlipDraws draws(seed);
  TwoRuns runs;
  for (std::size_t i = 0; i < answers; ++i) {
    std::vector<double> before;
    std::vector<double> after;
    for (std::size_t t = 0; t < tokens; ++t) {
      before.push_back(-std::log(draws.uniform()));
      after.push_back(before.back() + s * draws.normal());
    }
    runs.add(before, after);
  }
  return runs;
}

/// P(D < -m) for m exponential of rate 1 and D normal: integral of Phi(-m / s) exp(-m) = 1/2 - exp(s^2 / 2) Phi(-s).
double closed_form(double s) { return 0.5 - std::exp(s * s / 2) * std::erfc(s / std::numbers::sqrt2) / 2; }

}  // namespace

TEST_CASE("flips of normal noise are those of the closed form, and observed within their own spread") {
  constexpr double s = 0.05;
  const double p = closed_form(s);
  const InferFinding finding = noisy_runs(3, 400, 100, s).finding();
  const auto tokens = static_cast<double>(finding.tokens);
  CHECK(tokens == 40000);
  // The sum over tokens has the spread of the margins: at most sqrt(p / 2) each, as P(D < -m) <= 1/2.
  CHECK(std::fabs(finding.per_1000.value / 1000 - p) < 4 * std::sqrt(p / 2 / tokens));
  CHECK(finding.per_1000.low < finding.per_1000.value);
  CHECK(finding.per_1000.value < finding.per_1000.high);
  CHECK(finding.per_1000.low.value() / 1000 < p * 1.1);
  CHECK(finding.per_1000.high.value() / 1000 > p * 0.9);
  REQUIRE(finding.observed);
  const auto observed = static_cast<double>(finding.observed->flips);
  CHECK(std::fabs(observed - finding.expected) < 4 * std::sqrt(finding.expected));
  CHECK(observed > 100);  // else the bound says nothing
  CHECK(finding.explained() == true);
  const double mean_abs = s * std::sqrt(2 / std::numbers::pi);
  const double n = static_cast<double>(finding.compared);
  CHECK(std::fabs(finding.mean_abs - mean_abs) < 4 * s / std::sqrt(n));
  REQUIRE(finding.measured);
  CHECK(std::fabs(finding.measured->sd - s) < 4 * s / std::sqrt(2 * n));
  CHECK(std::fabs(finding.measured->robust_sd - s) < 4 * 1.17 * s / std::sqrt(n));  // of a median: 1.17 s / sqrt(n)
  // Geometric: half of the answers after ln 2 / p tokens.
  CHECK(std::fabs(*finding.half * finding.per_1000.value / 1000 / std::numbers::ln2 - 1) < p);
}

TEST_CASE("a level of noise predicts what a second run shows") {
  constexpr double s = 0.03;
  const TwoRuns runs = noisy_runs(5, 300, 100, s);
  const InferFinding measured = runs.finding();
  const InferFinding given = infer(runs.first, nullptr, {.noise = s * std::sqrt(2 / std::numbers::pi)});
  CHECK(std::fabs(given.per_1000.value / 1000 - closed_form(s)) <
        4 * std::sqrt(closed_form(s) / 2 / static_cast<double>(given.tokens)));
  CHECK(std::fabs(given.per_1000.value - measured.per_1000.value) < 0.05 * given.per_1000.value);
  CHECK(!given.observed);
  CHECK(!given.explained());
  CHECK(given.expected == given.per_1000.value / 1000 * static_cast<double>(given.tokens));
}

TEST_CASE("the density at 0 of exponential margins is their rate, and ties are no part of it") {
  for (const double rate : {0.5, 1.0, 4.0}) {
    FlipDraws draws(7);
    std::vector<double> margins;
    for (int i = 0; i < 20000; ++i) margins.push_back(-std::log(draws.uniform()) / rate);
    const auto density = margin_density_at_zero(margins);
    REQUIRE(density);
    const double h = density->bandwidth;
    const double bound = 4 * std::sqrt(4.5 * rate / (20000 * h)) + 0.116 * rate * (rate * h) * (rate * h) / 2;
    CHECK(std::fabs(density->per_nat - rate) < bound);
    CHECK(bound < 0.25 * rate);  // reflection at 0 would be off by about rate h / 3 of it
    margins.resize(40000, 0.0);
    CHECK(std::fabs(margin_density_at_zero(margins)->per_nat - density->per_nat / 2) <= 0x1p-50 * rate);
  }
  CHECK(!margin_density_at_zero(std::vector<double>(19, 1.0)));
}

TEST_CASE("the two predictions agree where the noise is small beside the margins") {
  const InferFinding finding = noisy_runs(11, 400, 100, 0.02).finding();
  REQUIRE(finding.expected_by_density);
  CHECK(std::fabs(*finding.expected_by_density / finding.expected - 1) < 0.2);
}

TEST_CASE("a token flips with the probability of its margin: literal sums over changes of either sign") {
  const std::vector<double> changes{0.25, -0.5, 0, 0, 1};
  const MarginNoise noise = MarginNoise::of(changes);
  for (const double margin : {0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 1.0, 2.0}) {
    double flips = 0;
    for (const double change : changes)
      for (const double d : {change, -change}) {
        if (d < -margin) flips += 0.1;
        if (d == -margin && margin > 0) flips += 0.05;
      }
    CHECK(std::fabs(noise.flips(margin) - flips) < 1e-15);
  }
  CHECK(noise.mean_abs() == 0.35);
  CHECK(MarginNoise::of({}).flips(0) == 0);
  CHECK(MarginNoise::normal(0.1).flips(0) == 0.5);
}

TEST_CASE("a bug of 5.25 nats in one token is not explained, and 0.05 is") {
  TwoRuns runs = noisy_runs(13, 100, 50, 0.02);
  // A margin of 9 nats that loses 5.25 of them: no token changes.
  runs.first.answers[7].tokens[3] = token_with(9);
  runs.second.answers[7].tokens[3] = token_with(9 - 5.25);
  for (std::size_t t = 0; t < 3; ++t) runs.second.answers[7].tokens[t] = runs.first.answers[7].tokens[t];
  const InferFinding bug = runs.finding();
  CHECK(bug.explained() == false);
  CHECK(bug.largest->nats == 5.25);
  CHECK(bug.largest->answer == "p7");
  CHECK(bug.largest->token == 4);
  CHECK(bug.limit->allowed < 0.5);
  runs.second.answers[7].tokens[3] = token_with(9 - 0.05);
  CHECK(runs.finding().explained() == true);
}

TEST_CASE("a token from nowhere is a change of at least the distance to the least that is listed") {
  TwoRuns runs = noisy_runs(17, 100, 50, 0.02);
  runs.first.answers[0].tokens[0] = token_of("a", -0.25, "b", 4);
  runs.second.answers[0].tokens[0] = token_of("c", -0.25, "d", 3);
  const InferFinding finding = runs.finding();
  CHECK(finding.explained() == false);
  CHECK(finding.largest->nats == 7);
  CHECK(finding.largest->at_least);
  CHECK(finding.unlisted == 1);
  // b is not listed any more, and a leads by more than before: by 2 at least.
  runs.second.answers[0].tokens[0] = token_of("a", -0.25, "d", 6);
  CHECK(runs.finding().largest->nats == 2);
}

TEST_CASE("noise of every size is explained: 300 pairs of runs, heavy tails among them") {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    FlipDraws draws(100 + seed);
    TwoRuns runs;
    for (int i = 0; i < 10; ++i) {
      std::vector<double> before;
      std::vector<double> after;
      for (int t = 0; t < 30; ++t) {
        before.push_back(3 + draws.uniform());
        const double scale = seed % 3 == 0 ? 0.02 : seed % 3 == 1 ? 0.02 * std::exp(0.4 * draws.normal()) : 0.02;
        const double z = seed % 3 == 2 ? -std::log(draws.uniform()) * (draws.uniform() < 0.5 ? 1 : -1) : draws.normal();
        after.push_back(before.back() + scale * z);
      }
      runs.add(before, after);
    }
    refused += runs.finding().explained() == true ? 0U : 1U;
  }
  CHECK(refused <= 3);  // at most 0.3 are expected, at 0.001 each
}

TEST_CASE("a few changes are judged by two steps of bf16") {
  TwoRuns runs;
  runs.add({3, 4, 5}, {3, 4, 5});
  CHECK(runs.finding().explained() == true);
  CHECK(!runs.finding().largest);
  CHECK(runs.finding().per_1000.value == 0);
  CHECK(!runs.finding().half);
  CHECK(!runs.finding().test_answers);
  runs.add({3, 4, 5}, {3, 4.25, 5});
  CHECK(runs.finding().explained() == true);
  CHECK(runs.finding().limit->allowed == 0.5);
  runs.add({3, 4, 5}, {3, 9.25, 5});
  CHECK(runs.finding().explained() == false);
}

TEST_CASE("exact ties are counted apart, and flip where the margin changes at all") {
  TwoRuns runs;
  for (int i = 0; i < 10; ++i) runs.add({0, 8}, {i < 2 ? -0.125 : i < 4 ? 0.125 : 0.0, 8});
  const InferFinding finding = runs.finding();
  CHECK(finding.ties == 10);
  CHECK(finding.observed->flips == 2);
  CHECK(finding.compared == 18);
  CHECK(finding.equal == 14);
  // 4 of 18 changes are not 0; half of them are below 0.
  CHECK(std::fabs(finding.expected - 10 * 4.0 / 18 / 2) < 1e-14);
}

TEST_CASE("changes within the rounding of fp32 log-probabilities are none") {
  TwoRuns runs;
  runs.add({0, 1}, {0, 1});
  // Another log-sum of all exponentials: both numbers move, and their difference by their rounding.
  runs.second.answers[0].tokens[1] = {.chosen = {"a", -0.75}, .others = {{"b", -0.75 - 1 + 0x1p-24}}};
  CHECK(runs.finding().equal == 2);
  runs.second.answers[0].tokens[1].others[0].logprob += 0x1p-19;
  CHECK(runs.finding().equal == 1);
}

TEST_CASE("tokens behind the first flip are not compared, and lengths that differ are no flips") {
  TwoRuns runs;
  runs.add({1, 0.01, 1, 1}, {1, -0.01, 9, 9});
  runs.add({1, 1}, {1, 1, 1});
  const InferFinding finding = runs.finding();
  CHECK(finding.compared == 4);
  CHECK(finding.answers[0].flip == 2);
  CHECK(!finding.answers[1].flip);
  CHECK(finding.answers[1].shorter);
  CHECK(!finding.answers[0].shorter);
  CHECK(finding.observed->flips == 1);
  CHECK(std::fabs(*finding.answers[0].largest - 0.02) < 1e-15);
}

TEST_CASE("a test needs as many prompts as show a flip in 95 of 100 tries") {
  CHECK(answers_to_see_one(0.5) == 5);  // 1 - 2^-4 = 0.94, 1 - 2^-5 = 0.97
  CHECK(answers_to_see_one(0.99) == 299);
  CHECK(answers_to_see_one(0.0) == 1);
  CHECK(!answers_to_see_one(1));
  CHECK(!tokens_to_half(0));
  CHECK(std::fabs(*tokens_to_half(0.01) - 68.9675639) < 1e-6);
}

TEST_CASE("findings are the same for any number of threads") {
  const TwoRuns runs = noisy_runs(23, 60, 40, 0.1);
  const InferFinding one = runs.finding({.threads = 1});
  for (const int threads : {2, 3, 7}) {
    const InferFinding other = runs.finding({.threads = threads});
    CHECK(one.per_1000.low == other.per_1000.low);
    CHECK(one.per_1000.high == other.per_1000.high);
    CHECK(one.expected == other.expected);
  }
  CHECK(runs.finding({.seed = 2}).per_1000.low != one.per_1000.low);
}

TEST_CASE("answers are matched by the keys that both runs have") {
  TwoRuns runs;
  runs.add({1, 2}, {1, 2});
  runs.add({3, 4}, {3, 4});
  std::swap(runs.second.answers[0], runs.second.answers[1]);
  CHECK(runs.finding().equal == 4);
  CHECK(runs.finding().matched_by == MatchedBy::custom_id);
  for (AnswerRun* run : {&runs.first, &runs.second})
    for (Answer& answer : run->answers) std::swap(answer.id, answer.custom_id);
  CHECK(runs.finding().matched_by == MatchedBy::id);
  CHECK(runs.finding().equal == 4);
  for (Answer& answer : runs.second.answers) answer.id += "x";  // a server's own
  CHECK(runs.finding().matched_by == MatchedBy::order);
  CHECK(runs.finding().equal == 0);
  runs.second.answers.pop_back();
  CHECK_THROWS_WITH_AS(runs.finding(),
                       "first.jsonl has 2 answers and second.jsonl has 1, without ids that are in both; give two runs "
                       "of the same prompts in the same order, or with a custom_id",
                       Error);
}

TEST_CASE("requests and runs that say nothing are refused") {
  TwoRuns runs;
  runs.add({1, 2}, {1, 2});
  CHECK_THROWS_AS(infer(runs.first, nullptr, {}), Error);
  CHECK_THROWS_AS(infer(runs.first, &runs.second, {.noise = 0.1}), Error);
  CHECK_THROWS_AS(infer(runs.first, nullptr, {.noise = 0.0}), Error);
  CHECK_THROWS_AS(infer({.name = "none", .answers = {}}, nullptr, {.noise = 0.1}), Error);
  runs.add({3, 4}, {3, 4});
  for (Answer& answer : runs.second.answers)
    for (AnsweredToken& token : answer.tokens) token = token_of("x", -1, "y", 1);
  CHECK_THROWS_WITH_AS(runs.finding(),
                       "first.jsonl and second.jsonl: of 2 of 2 answers, the first tokens have no candidate in common; "
                       "give two runs of the same prompts in the same order, or with a custom_id",
                       Error);
  runs.second.answers[1].custom_id = runs.second.answers[0].custom_id;
  CHECK_THROWS_WITH_AS(runs.finding(), doctest::Contains("two answers have the custom_id"), Error);
}
