// What a page says of the accuracy of orders: how often it is wrong, that it is said where it is true, and what is said
// of inputs that are too few.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "orderlab/philox.hpp"
#include "page/accuracy_rank.hpp"
#include "page/paired_wins.hpp"
#include "page/power_law.hpp"
#include "page/sum_points.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using orderlab::testing::trials;

namespace {

// Near enough to normal: a sum of twelve uniform numbers.
double bell(IndexGenerator& words) {
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += static_cast<double>(words() >> 11) * 0x1p-53;
  return sum;
}

SumPoint with_errors(const std::string& order, std::uint64_t input, std::vector<Weighted> errors) {
  SumPoint point = sampled_point(order, 64, input);
  std::sort(errors.begin(), errors.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double squares = 0;
  double count = 0;
  for (const Weighted& error : errors) {
    squares += error.value * error.value * error.weight;
    count += error.weight;
  }
  point.errors = {std::move(errors)};
  point.error_rms = std::sqrt(squares / count);
  point.random = point.errors.size() > 1;
  return point;
}

/// Orders by their typical error; inputs have a scale of their own, which all orders share.
struct World {
  std::vector<double> scales;
  std::vector<std::size_t> samples;  ///< drawn orders of each: 1 is a fixed order
};

AccuracyRank rank_of(const World& world, std::size_t inputs, std::uint64_t seed) {
  std::vector<SumPoint> points;
  for (std::size_t order = 0; order < world.scales.size(); ++order)
    for (std::uint64_t input = 0; input < inputs; ++input) {
      IndexGenerator words(RandomStream(seed, streams::kTerms, input), order * 1000);
      IndexGenerator common(RandomStream(seed, streams::kTerms, input), 999'999);
      const double of_input = std::exp(bell(common));
      std::vector<Weighted> errors;
      for (std::size_t i = 0; i < world.samples[order]; ++i)
        errors.push_back({world.scales[order] * of_input * bell(words), 1});
      points.push_back(with_errors(std::string(1, static_cast<char>('a' + order)), input, std::move(errors)));
    }
  return rank_accuracy(compared_cells(content_with(std::move(points))));
}

bool said_to_be_best(const AccuracyRank& rank, const std::string& name) {
  return rank.most.best.size() == 1 && rank.orders[rank.most.best[0]].name == name;
}

constexpr double kLevel = 1 - kPageConfidence;

// A claim that is wrong with probability `kLevel` is made more often than this with probability 1e-6.
double most_claims(std::uint64_t trials) {
  return boost::math::quantile(
      boost::math::complement(boost::math::binomial(static_cast<double>(trials), kLevel), 1e-6));
}

}  // namespace

TEST_CASE("of equally accurate orders one is called the most accurate in at most 5 of 100 studies") {
  const std::uint64_t studies = trials(1500);
  const std::vector<World> worlds{
      {{1, 1}, {1, 1}},   // two fixed orders
      {{1, 1}, {1, 40}},  // a fixed one and a random one: one draw against many
      {{1, 1, 1}, {1, 1, 1}},
      {{1, 1, 5, 5, 5, 5, 5}, {1, 1, 1, 1, 1, 1, 1}},  // a tie at the top, the others far behind
      {{1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 20, 20, 20}},
  };
  for (std::size_t w = 0; w < worlds.size(); ++w)
    for (const std::size_t inputs : {8U, 30U}) {
      CAPTURE(w);
      CAPTURE(inputs);
      std::uint64_t claims = 0;
      for (std::uint64_t trial = 0; trial < studies; ++trial) {
        const AccuracyRank rank = rank_of(worlds[w], inputs, 1000 * w + trial);
        claims += rank.most.best.size() == 1 ? 1U : 0U;
      }
      CHECK(static_cast<double>(claims) <= most_claims(studies));
    }
}

TEST_CASE("the least inaccurate order is left out of the best ones in at most 5 of 100 studies") {
  const std::uint64_t studies = trials(1500);
  const World world{{0.95, 1, 1, 1, 1, 1}, {1, 1, 1, 30, 1, 1}};  // a is the best, by next to nothing
  std::uint64_t missed = 0;
  for (std::uint64_t trial = 0; trial < studies; ++trial) {
    const AccuracyRank rank = rank_of(world, 20, trial);
    missed += std::none_of(rank.most.best.begin(), rank.most.best.end(),
                           [&](std::size_t i) { return rank.orders[i].name == "a"; })
                  ? 1U
                  : 0U;
  }
  CHECK(static_cast<double>(missed) <= most_claims(studies));
}

TEST_CASE("an order that is ten times as accurate is found with thirty inputs") {
  std::uint64_t found = 0;
  for (std::uint64_t trial = 0; trial < 100; ++trial)
    found += said_to_be_best(rank_of({{1, 0.1, 1, 1}, {1, 1, 1, 20}}, 30, trial), "b") ? 1U : 0U;
  CHECK(found >= 99);  // nearer on 27 of 30 inputs on average, and 22 are enough
}

TEST_CASE("another seed does not make another order the most accurate") {
  std::size_t claimed = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const AccuracyRank rank = rank_of({{1, 1.05, 1.1, 8}, {1, 1, 1, 1}}, 30, 77 + seed);
    if (rank.most.best.size() == 1) ++claimed;
    CHECK(std::none_of(rank.most.best.begin(), rank.most.best.end(),
                       [&](std::size_t i) { return rank.orders[i].name == "d"; }));
  }
  CHECK(claimed <= 4);
}

TEST_CASE("which of two orders is nearer on an input counts all pairs of their results") {
  const std::vector<Weighted> small{{-1, 3}, {1, 2}};
  CHECK(nearer(small, std::vector<Weighted>{{2, 1}}) == 1);
  CHECK(nearer(std::vector<Weighted>{{2, 1}}, small) == -1);
  CHECK(nearer(small, std::vector<Weighted>{{1, 9}}) == 0);
  CHECK(nearer(small, std::vector<Weighted>{{-1.0000000000001, 9}}) == 0);  // two roundings of one error
  CHECK(nearer(std::vector<Weighted>{{0, 1}}, std::vector<Weighted>{{0, 4}}) == 0);
  CHECK(nearer(std::vector<Weighted>{{0, 6}, {9, 5}}, std::vector<Weighted>{{1, 1}}) == 1);
  CHECK(nearer(std::vector<Weighted>{{0, 5}, {9, 6}}, std::vector<Weighted>{{1, 1}}) == -1);
  CHECK(nearer(std::vector<Weighted>{{0, 5}, {9, 5}}, std::vector<Weighted>{{1, 1}}) == 0);
}

TEST_CASE("one order alone beats each other one") {
  // a beats b, b beats c, and a and c are as often nearer: a is beaten by none, but does not beat c
  std::vector<std::vector<std::vector<int>>> scores(3, std::vector<std::vector<int>>(3));
  std::vector<int> half(20, 1);
  std::fill_n(half.begin(), 10, -1);
  const std::vector<int> all(20, 1);
  const std::vector<int> none(20, -1);
  scores[0][1] = scores[1][2] = all;
  scores[1][0] = scores[2][1] = none;
  scores[0][2] = scores[2][0] = half;
  CHECK(most_accurate(scores, kPageConfidence).best == std::vector<std::size_t>{0, 2});
  scores[0][2] = all;
  scores[2][0] = none;
  CHECK(most_accurate(scores, kPageConfidence).best == std::vector<std::size_t>{0});
  scores[0][2] = none;  // a circle
  scores[2][0] = all;
  CHECK(most_accurate(scores, kPageConfidence).best.empty());
}

TEST_CASE("limits of a share are those of Clopper and Pearson, and winning is the sign test") {
  const PairedWins all = paired_wins(std::vector<int>(10, 1), 0.025);
  CHECK(all.won == 10);
  CHECK(std::fabs(all.low - std::pow(0.025, 0.1)) < 1e-12);
  CHECK(all.high == 1);
  const PairedWins none = paired_wins(std::vector<int>(3, 0), 0.025);
  CHECK(none.tied == 3);
  CHECK(none.low == 0);
  CHECK(none.high == 1);
  for (const double tail : {0.05, 0.025, 0.01, 0.05 / 14}) {
    const std::size_t needed = inputs_needed(tail);
    CHECK(paired_wins(std::vector<int>(needed, 1), tail).beats());
    CHECK(!paired_wins(std::vector<int>(needed - 1, 1), tail).beats());
    for (std::size_t won = 0; won <= 30; ++won) {
      std::vector<int> scores(30, -1);
      std::fill_n(scores.begin(), won, 1);
      const double p =
          won == 0 ? 1 : boost::math::cdf(boost::math::complement(boost::math::binomial(30, 0.5), double(won) - 1));
      CHECK(paired_wins(scores, tail).beats() == (p < tail));
    }
  }
}

TEST_CASE("sentences on accuracy hold for new inputs, or say that they do not") {
  const auto sentence = [](std::size_t inputs, const std::function<double(int, std::uint64_t)>& error) {
    std::vector<SumPoint> points;
    for (int order = 0; order < 3; ++order)
      for (std::uint64_t input = 0; input < inputs; ++input)
        points.push_back(
            with_errors(std::string(1, static_cast<char>('a' + order)), input, {{error(order, input), 1}}));
    return accuracy_in_words(rank_accuracy(compared_cells(content_with(std::move(points)))), "ulp");
  };
  const auto apart = [](int order, std::uint64_t) { return order == 0 ? 0.5 : 2.0 * order; };
  CHECK(sentence(1, apart) == "on this one input the rms error ranges from 0.50 ulp (a) to 4.0 ulp (c)");
  CHECK(sentence(5, apart) ==
        "5 inputs are too few to rank 3 orders, 6 can be enough; here rms errors range from 0.50 ulp (a) to 4.0 ulp "
        "(c)");
  CHECK(sentence(6, apart) ==
        "a is the most accurate (6 inputs, 95 % confidence): off by 0.50 ulp (rms); the others by 2.0 to 4.0");
  // one bad input makes the rms error of b larger, and b is as often nearer as not
  const auto bad_once = [](int order, std::uint64_t input) {
    return order == 2 ? 9.0 : order == 1 && input == 0 ? 8.0 : (order == 0) == (input % 2 == 0) ? 1.0 : 2.0;
  };
  CHECK(
      sentence(20, bad_once) ==
      "a and b are the most accurate and indistinguishable (20 inputs, 95 % confidence): off by 1.6 to 2.3 ulp (rms); "
      "c by 9.0");
  CHECK(sentence(20, [](int, std::uint64_t) { return 0.0; }) == "all 3 orders are exact");
  CHECK(sentence(20, [](int, std::uint64_t) { return 0.25; }) ==
        "all 3 orders are indistinguishable in accuracy (20 inputs, 95 % confidence): off by 0.25 ulp (rms)");
}
