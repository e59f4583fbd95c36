// Where a running sum stops growing, against a loop that adds term by term.
#include "metrics/stagnation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "metrics/measured.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

// Number of terms after which a sequential sum in `format` no longer changes.
std::size_t last_change(Format format, const std::vector<double>& terms) {
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double next = value_of_bits(format, round_to_bits(format, sum + terms[i]));
    if (next != sum) last = i + 1;
    sum = next;
  }
  return last;
}

Measured drawn(const Formats& formats, const std::vector<double>& terms, const char* order) {
  Measured measured(formats, terms, order);
  measured.draw(20);
  return measured;
}

void check_stops(const Measured& measured, double sum, std::size_t after, std::size_t count) {
  check_number(measured, {"stagnation", "sum"}, sum);
  check_number(measured, {"stagnation", "after"}, static_cast<double>(after));
  check_number(measured, {"stagnation", "partial_sums"}, static_cast<double>(count));
}

}  // namespace

TEST_CASE("a sum of ones stops at 2^p after 2^p terms, in every order that adds them one by one") {
  const std::vector<double> ones(5000, 1.0);
  for (const char* order : {"seq", "seq(from=zero)", "seq(acc=atomic)", "reverse | seq", "random", "ao"}) {
    CAPTURE(std::string(order));
    check_stops(drawn({Format::bf16, Format::bf16, Format::bf16}, ones, order), 256, 256, 5000);
    check_stops(drawn({Format::fp16, Format::fp16, Format::fp16}, ones, order), 2048, 2048, 5000);
  }
  check_stops(drawn({Format::bf16, Format::bf16, Format::bf16}, ones, "seq(2) | seq"), 512, 256, 2500);
  check_stops(drawn({Format::fp16, Format::bf16, Format::fp16}, std::vector<double>(300, -1.0), "seq"), -256, 256, 300);
}

TEST_CASE("the last change is the one that a loop finds") {
  for (const double step : {0.3, 1.7, 5.0})
    for (const Format format : {Format::bf16, Format::fp16}) {
      std::vector<double> terms;
      for (std::size_t i = 0; i < 9000; ++i)
        terms.push_back(value_of_bits(format, round_to_bits(format, step + static_cast<double>(i % 7) / 64)));
      const Measured measured = drawn({format, format, format}, terms, "seq");
      const auto found = find_stagnation(measured.evaluator(), measured.view(), measured.exact());
      REQUIRE(found);
      CHECK(found->after == last_change(format, terms));
      CHECK(found->sum == measured.counts().results().values[0].value);
    }
}

TEST_CASE("nothing is said where sums do not stop, lose little, or have no single running sum of one sign") {
  const Formats bf16{Format::bf16, Format::bf16, Format::bf16};
  const auto says_nothing = [&](const std::vector<double>& terms, const char* order) {
    CAPTURE(std::string(order));
    const Measured measured = drawn(bf16, terms, order);
    for (const char* name : {"sum", "after", "partial_sums"}) check_null(measured, {"stagnation", name});
  };
  const std::vector<double> ones(5000, 1.0);
  for (const char* order :
       {"pairwise", "seq(acc=kahan)", "seq(acc=neumaier)", "strided(8) | halving(8)", "seq(100) | pairwise"})
    says_nothing(ones, order);
  says_nothing(std::vector<double>(200, 1.0), "seq");
  says_nothing(std::vector<double>(257, 1.0), "seq");  // 1 of 257 is less than 1 %
  says_nothing(std::vector<double>(5000, 0.0), "seq");
  std::vector<double> mixed = ones;
  mixed.back() = -1;
  says_nothing(mixed, "seq");
  std::vector<double> unequal = ones;
  unequal.front() = 2;
  says_nothing(unequal, "random");  // which terms come first differs from run to run
  mixed.back() = INFINITY;
  says_nothing(mixed, "seq");
}

TEST_CASE("products stop as terms do, where they are rounded and where they are fused") {
  const std::vector<double> twos(1000, 2.0);
  const std::vector<double> halves(1000, 0.5);
  const TypedTerms x(Format::bf16, twos);
  const TypedTerms y(Format::bf16, halves);
  TermView view = x.view();
  view.y = y.view().x;
  const Formats formats{Format::bf16, Format::bf16, Format::bf16};
  for (const char* order : {"seq", "seq(acc=fma)"}) {
    const auto evaluator = Evaluator::make(parse_order(order), view, formats, 1);
    const auto found = find_stagnation(*evaluator, view, exact_sum(view));
    REQUIRE(found);
    CHECK(found->sum == 256);
    CHECK(found->after == 256);
  }
}
