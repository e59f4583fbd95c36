// What a sum can be that is not the claim's: known orders, known losses, in every format.
#include "crosscheck/wrong_sum.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {
namespace {

Formats only(Format format) { return {format, format, format}; }

std::uint64_t sum_of(const Terms& terms, const char* order, std::uint64_t sample = 0) {
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), only(terms.format()), 1);
  return evaluator->evaluate(sample, *evaluator->make_scratch()).bits;
}

Terms without(const Terms& terms, std::size_t left_out) {
  Terms fewer(terms.format(), terms.size() - 1);
  for (std::size_t i = 0, k = 0; i < terms.size(); ++i)
    if (i != left_out) fewer.set(k++, terms.view().left(i));
  return fewer;
}

WrongSum wrong(const Terms& terms, std::uint64_t bits) { return {terms.view(), only(terms.format()), false, bits}; }

TEST_CASE("the sums of other orders are called that, at few terms and at many, in every format") {
  for (const FormatInfo& format : kFormats)
    for (const std::size_t n : {2U, 3U, 8U, 9U, 500U}) {
      INFO(std::string(format.name), " ", n);
      const Terms terms = generate_terms("normal(0,1)", n, format.format, 3);
      for (const char* order : {"seq", "reverse | seq", "pairwise", "shuffle | tree", "sort(desc) | seq"})
        for (std::uint64_t sample = 0; sample < 5; ++sample)
          CHECK(diagnosis(wrong(terms, sum_of(terms, order, sample))).kind == MismatchKind::another_order);
    }
}

TEST_CASE("a sum of which a term is missing is called that, and the term is named") {
  for (const std::size_t n : {2U, 8U, 9U, 500U}) {
    const Terms terms = generate_terms("uniform(1,2)", n, Format::fp32, 3);
    const Diagnosis found = detailed_diagnosis(wrong(terms, sum_of(without(terms, n - 1), "seq")));
    INFO(n, " ", found.basis);
    CHECK(found.kind == MismatchKind::outside_bound);
    if (n > 8) CHECK(found.basis.find("; without ") != std::string::npos);
  }
}

TEST_CASE("integers have one sum in every order: the bound is 0, and the lost term is named") {
  Terms terms(Format::fp32, 100);
  for (std::size_t i = 0; i < 100; ++i) terms.set(i, i == 63 ? 7 : static_cast<double>(i % 3));
  const Diagnosis found = detailed_diagnosis(wrong(terms, sum_of(without(terms, 63), "seq")));
  CHECK(found.kind == MismatchKind::outside_bound);
  CHECK(found.basis == "7 from the exact sum; every order stays within 0; without term 63 it fits");
}

TEST_CASE("a term that was added twice is found") {
  Terms terms(Format::fp64, 50);
  for (std::size_t i = 0; i < 50; ++i) terms.set(i, std::ldexp(1.0, static_cast<int>(i % 10)));
  terms.set(17, 3);
  const auto bits = bits_of(value_of_bits(Format::fp64, sum_of(terms, "seq")) + 3);
  CHECK(detailed_diagnosis(wrong(terms, bits)).basis.find("; with term 17 twice it fits") != std::string::npos);
}

TEST_CASE("a sum that is not finite is no order of terms that cannot overflow") {
  const Terms terms = generate_terms("uniform(0,10)", 100, Format::fp32, 1);
  const Diagnosis found = diagnosis(wrong(terms, round_to_bits(Format::fp32, std::nan(""))));
  CHECK(found.kind == MismatchKind::outside_bound);
  CHECK(found.basis.find("not finite") != std::string::npos);
}

TEST_CASE("where some order may overflow, nothing is decided") {
  Terms terms(Format::fp32, 20);
  for (std::size_t i = 0; i < 20; ++i) terms.set(i, i % 2 == 0 ? 0x1p127 : -0x1p127);
  CHECK(diagnosis(wrong(terms, round_to_bits(Format::fp32, HUGE_VAL))).kind == MismatchKind::undecided);
}

TEST_CASE("the zero that a sum from +0 has in place of -0 is another order's") {
  Terms terms(Format::fp32, 3);
  for (std::size_t i = 0; i < 3; ++i) terms.set(i, -0.0);
  CHECK(diagnosis(wrong(terms, 0)).kind == MismatchKind::another_order);
}

TEST_CASE("a finishing function is applied to what the orders give") {
  const Terms terms = generate_terms("uniform(1,2)", 100, Format::fp32, 2);
  const auto mean = [](std::uint64_t sum) {
    return bits_of(static_cast<float>(value_of_bits(Format::fp32, sum)) / 100.0F);
  };
  WrongSum of_mean{terms.view(), only(Format::fp32), false, mean(sum_of(terms, "reverse | seq")), mean};
  CHECK(diagnosis(of_mean).kind == MismatchKind::another_order);
  of_mean.bits = sum_of(terms, "seq");  // nobody divided
  CHECK(diagnosis(of_mean).kind == MismatchKind::outside_bound);
}

}  // namespace
}  // namespace orderlab
