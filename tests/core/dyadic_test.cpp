#include "core/dyadic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

constexpr std::uint64_t kDraws = 100'000;

double draw(const Dyadic& dyadic, std::uint64_t index) {
  IndexGenerator words(RandomStream(1, streams::kTerms, 0), index);
  return dyadic.draw(words);
}

// Hoeffding: a share among kDraws is off by more with probability below 1e-9.
const double kBound = std::sqrt(std::log(2e9) / (2.0 * kDraws));

}  // namespace

TEST_CASE("a draw is a whole number of the bits asked for, scaled exactly") {
  for (const Dyadic& dyadic : {Dyadic{1, 0}, Dyadic{2, 5}, Dyadic{24, -23}, Dyadic{53, 0}, Dyadic{24, -149},
                               Dyadic{53, -1074}, Dyadic{53, 971}, Dyadic{8, 0, 3}}) {
    REQUIRE(dyadic.exact());
    const double limit = std::ldexp(1.0, dyadic.bits - 1);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const double k = std::ldexp(draw(dyadic, i), -dyadic.exponent + dyadic.spread);
      INFO(to_string(dyadic), " ", i, ": ", k);
      CHECK(round_to_bits(Format::fp64, std::trunc(k)) == round_to_bits(Format::fp64, k));
      CHECK(std::isfinite(k));
      CHECK(k >= -limit * std::ldexp(1.0, dyadic.spread));
      CHECK(k < limit * std::ldexp(1.0, dyadic.spread));
      CHECK_FALSE((k >= 0 && std::signbit(k)));
    }
  }
}

TEST_CASE("every whole number and every exponent comes equally often, the least and the greatest too") {
  std::map<double, double> numbers;
  for (std::uint64_t i = 0; i < kDraws; ++i) numbers[draw({4, 0}, i)] += 1.0 / kDraws;
  CHECK(numbers.size() == 16);
  CHECK(numbers.begin()->first <= -8);
  CHECK(numbers.rbegin()->first >= 7);
  for (const auto& [k, share] : numbers) CHECK(std::fabs(share - 1.0 / 16) < kBound);

  std::map<double, double> exponents;  // of draws that are -1 before they are scaled
  double negative = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double x = draw({1, 7, 4}, i);
    if (x < 0) negative += 1.0 / kDraws;
    exponents[x] += 1.0 / kDraws;
  }
  CHECK(std::fabs(negative - 0.5) < kBound);
  CHECK(exponents.size() == 6);
  for (int j = 0; j <= 4; ++j) CHECK(std::fabs(exponents[-std::ldexp(1.0, 7 - j)] - 0.1) < kBound);
}

TEST_CASE("what is not exact in double is told") {
  CHECK(Dyadic{53, 971}.exact());
  CHECK_FALSE(Dyadic{53, 972}.exact());
  CHECK(Dyadic{53, -1074}.exact());
  CHECK_FALSE(Dyadic{53, -1074, 1}.exact());
  CHECK_FALSE(Dyadic{54, 0}.exact());
  CHECK_FALSE(Dyadic{0, 0}.exact());
  CHECK_FALSE(Dyadic{24, 0, -1}.exact());
}

TEST_CASE("the bits of a term are those of the distribution of the same text, in every format") {
  for (const Dyadic& dyadic : {Dyadic{24, -23}, Dyadic{24, -149}, Dyadic{11, -20, 12}, Dyadic{53, -30, 2}})
    for (const FormatInfo& f : kFormats) {
      const Terms terms = generate_terms(to_string(dyadic), 300, f.format, 9);
      CHECK(canonical_distribution(to_string(dyadic)) == to_string(dyadic));
      for (std::uint64_t i = 0; i < 300; ++i)
        CHECK(dyadic.term_bits(f.format, 9, i) == round_to_bits(f.format, terms.view().left(i)));
    }
}
