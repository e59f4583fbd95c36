#include "orderlab/study/input.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/exact.hpp"

using namespace orderlab;

namespace {

void check_same(const ExactValue& a, const ExactValue& b) {
  CHECK(a.round_to(Format::fp64) == b.round_to(Format::fp64));  // a zero's sign too
  CHECK(a.decimal(100) == b.decimal(100));
}

void check_facts(const study::InputFacts& facts, const Terms& terms) {
  CHECK(facts.hash == terms.hash());
  check_same(facts.exact, exact_sum(terms.view()));
  check_same(facts.sum_abs, exact_sum_abs(terms.view()));
}

}  // namespace

TEST_CASE("terms and what is said of them are the same for any number of threads") {
  constexpr std::size_t kTerms = 1'200'001;  // several parts
  for (const char* distribution : {"uniform(0,10)", "normal(0,1)", "logspread(-1000,1000)"}) {
    CAPTURE(distribution);
    const Terms terms = generate_terms(distribution, kTerms, Format::fp64, 5);
    for (const int threads : {1, 2, 5}) {
      CAPTURE(threads);
      const study::Input input =
          study::generated_input({.n = kTerms, .distribution = distribution, .seed = 5, .threads = threads});
      check_facts(input.facts, terms);
    }
  }
}

TEST_CASE("facts of special terms do not depend on where a part ends") {
  constexpr std::size_t kTerms = 1'100'000;
  const auto given = [](Format format, double all, std::size_t place, double one) {
    Terms terms(format, kTerms);
    for (std::size_t i = 0; i < kTerms; ++i) terms.set(i, all);
    terms.set(place, one);
    return terms;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Format format : {Format::fp64, Format::fp16})
    for (const std::size_t place : {std::size_t{0}, std::size_t{1} << 17, kTerms - 1})
      for (const double one : {-0.0, 0.0, 1.0, -kInfinity, kInfinity - kInfinity})
        for (const double all : {-0.0, 0.5}) {
          const Terms terms = given(format, all, place, one);
          check_facts(study::given_input(terms, 3).facts, terms);
        }
}
