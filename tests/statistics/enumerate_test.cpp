// What sample() draws against the exact probabilities of enumerate().
#include "orderlab/enumerate.hpp"

#include <doctest/doctest.h>

#include "orderlab/terms.hpp"
#include "statistics/uniformity.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Pearson's chi-square test of counts against probabilities; results expecting fewer than 5 are one cell together, and
/// if that expects fewer, too, it goes to the result that expects the least of the others.
double p_value(const Enumeration& exact, const ResultCounts& counts) {
  std::map<std::uint64_t, double> observed;
  for (const Weighted& r : counts.results().values) observed[bits_of(exact.format, r.value)] = r.weight;
  struct Group {
    double expected = 0;
    double observed = 0;
  };
  std::vector<Group> groups;
  Group rare;
  for (const Weighted& r : exact.results.values) {
    const Group group{r.weight * to_double(counts.samples()), observed[bits_of(exact.format, r.value)]};
    if (group.expected >= 5) {
      groups.push_back(group);
    } else {
      rare.expected += group.expected;
      rare.observed += group.observed;
    }
  }
  const auto least = std::min_element(groups.begin(), groups.end(),
                                      [](const Group& a, const Group& b) { return a.expected < b.expected; });
  if (rare.expected >= 5) {
    groups.push_back(rare);
  } else {
    least->expected += rare.expected;
    least->observed += rare.observed;
  }
  REQUIRE(groups.size() >= 3);
  double chi_square = 0;
  for (const Group& g : groups) chi_square += (g.observed - g.expected) * (g.observed - g.expected) / g.expected;
  const boost::math::chi_squared distribution(to_double(groups.size() - 1));
  return boost::math::cdf(boost::math::complement(distribution, chi_square));
}

/// Seeds 1 .. `seeds`, of the terms and of the draws: the smallest p-value is above kLeastP, and nothing was drawn that
/// no order gives. A right program fails with a probability of about `seeds` times kLeastP, 2e-4 for 20.
void check_against_exact(const std::string& order, std::size_t n, std::uint64_t seeds) {
  const Formats formats = parse_formats("fp32");
  double least = 1;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(order);
    CAPTURE(seed);
    const Terms terms = generate_terms("normal(0,1)", n, Format::fp32, seed);
    const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, seed);
    const Enumeration exact = enumerate(order_space(*evaluator).space.value(), {}).value();
    const ResultCounts counts = sample(*evaluator, CountingFrame{.format = Format::fp32}, {.end = kSamples});
    CHECK(counts.samples() == kSamples);
    std::size_t impossible = 0;
    for (const Weighted& r : counts.results().values)
      if (exact.find(bits_of(Format::fp32, r.value)) == nullptr) ++impossible;
    CHECK(impossible == 0);
    const double p = p_value(exact, counts);
    MESSAGE(order << ", seed " << seed << ": " << counts.distinct() << " of " << exact.results.size()
                  << " results drawn, p = " << p);
    least = std::min(least, p);
  }
  MESSAGE(order << ", n = " << n << ": smallest of " << seeds << " p-values " << least);
  CHECK(least > kLeastP);
}

}  // namespace

TEST_CASE("a million random sequences of 14 terms have the exact distribution") {
  check_against_exact("random", 14, kSeeds);
}

TEST_CASE("a million random trees over 12 terms have the exact distribution") {
  check_against_exact("random_tree", 12, 5);
}

TEST_CASE("a million random assignments to a pairwise tree have the exact distribution") {
  check_against_exact("shuffle | pairwise", 14, 5);
}
