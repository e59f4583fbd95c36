// Sums of terms of formats that sums cannot have: those of fp32 or fp16 terms of the same values, which hold them.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

Terms the_same_in(const Terms& terms, Format format) {
  Terms same(format, terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) same.set(i, terms.view().left(i));
  return same;
}

Evaluation first_sample(const std::string& order, const Terms& terms, const Formats& formats) {
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, 5);
  return evaluator->evaluate(0, *evaluator->make_scratch());
}

}  // namespace

TEST_CASE("terms of tf32, e4m3 and e5m2 add as fp32 and fp16 terms of the same values") {
  for (const auto& [format, held] : {std::pair{Format::tf32, Format::fp32}, std::pair{Format::e4m3, Format::fp16},
                                     std::pair{Format::e5m2, Format::fp16}})
    for (const bool products : {false, true}) {
      Terms terms = generate_terms("normal(0,1)", 1000, format, 3);
      Terms same = the_same_in(terms, held);
      if (products) {
        const Terms factors = generate_terms("uniform(-1,1)", 1000, format, 4);
        terms.multiply_by(factors);
        same.multiply_by(the_same_in(factors, held));
      }
      for (const char* order : {"random", "warp", "numpy", "pairwise", "strided(8) | halving(8)", "seq(acc=neumaier)"})
        for (const Format sums : {Format::fp32, Format::fp16, Format::fp64}) {
          CAPTURE(info(format).name);
          CAPTURE(order);
          const Evaluation a = first_sample(order, terms, {format, sums, sums});
          const Evaluation b = first_sample(order, same, {held, sums, sums});
          CHECK(a.bits == b.bits);
          CHECK(a.height == b.height);
        }
      if (products)
        CHECK(first_sample("seq(acc=fma)", terms, {format, Format::fp32, Format::fp32}).bits ==
              first_sample("seq(acc=fma)", same, {held, Format::fp32, Format::fp32}).bits);
      CHECK(exact_sum(terms.view()).round_to(Format::fp64) == exact_sum(same.view()).round_to(Format::fp64));
    }
}

TEST_CASE("an e8m13 result is the sum rounded to 14 bits, and its error bound holds the rounding") {
  Terms terms(Format::fp32, 2);
  terms.set(0, 1);
  terms.set(1, 0x1p-14 + 0x1p-23);  // above a tie of e8m13
  const Evaluation up = first_sample("seq", terms, {Format::fp32, Format::fp32, Format::e8m13});
  CHECK(up.value == 1 + 0x1p-13);
  CHECK(up.bits == 0xFE001);
  CHECK(up.error.extra >= 0x1p-14);
}

TEST_CASE("formats are refused in places that they are not for") {
  const Order order = parse_order("seq");
  for (const Formats& formats :
       {Formats{Format::e4m3, Format::e4m3, Format::fp32}, Formats{Format::fp32, Format::fp32, Format::tf32},
        Formats{Format::e8m13, Format::fp32, Format::fp32}, Formats{Format::fp80, Format::fp80, Format::fp64}})
    CHECK_THROWS_AS((void)compile(order, 3, formats), Error);
}
