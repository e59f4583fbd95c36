// The bound over every order a pipeline can draw: what it adds up, and where there is none. That it holds is tried in
// bounds_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "doubles.hpp"
#include "metrics/exact_bounds.hpp"
#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/bounds.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::optional<double> bound_of_every_order(const std::string& order, const std::string& formats,
                                           const std::vector<double>& x, const std::vector<double>& y = {}) {
  const Formats parsed = parse_formats(formats);
  const TypedTerms terms = y.empty() ? TypedTerms(parsed.terms, x) : TypedTerms(parsed.terms, x, y);
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), parsed, 1);
  return every_order_bound(*evaluator, exact_sum(terms.view()));
}

/// At least `formula`, and above it by no more than a few thousand roundings of fp64.
void check_bound(const std::optional<double>& bound, const Wide& formula) {
  REQUIRE(bound.has_value());
  CHECK(Wide(*bound) >= formula);
  CHECK(Wide(*bound) <= formula * Wide(1 + 0x1p-40));
}

const Wide kU32 = Wide(0x1p-24);
const std::vector<double> kTerms{1, -2, 3, 4, 0.5, 6, -7, 8};  // sum 13.5, magnitudes 31.5

}  // namespace

TEST_CASE("plain additions in any order are bounded by (m-1) u sum|p|") {
  for (const char* order : {"shuffle | seq", "shuffle | tree", "tree", "arrive(jitter(2)) | seq(from=zero)",
                            "shuffle | seq(3) | shuffle | seq", "shuffle | seq(2) | sort(asc) | seq"}) {
    CAPTURE(std::string(order));
    check_bound(bound_of_every_order(order, "fp32", kTerms), 7 * kU32 * Wide(31.5));
  }
}

TEST_CASE("where every order has one height, gamma of it counts if it is less") {
  for (const char* order : {"shuffle | pairwise", "arrive | strided(4) | halving(4)", "shuffle | reverse | pairwise"}) {
    CAPTURE(std::string(order));
    check_bound(bound_of_every_order(order, "fp32", kTerms), 3 * kU32 / (1 - 3 * kU32) * Wide(31.5));
  }
}

TEST_CASE("what the fixed part did is known, so only partial sums count") {
  // Pairs: 1 + 2^-30 rounds to 1 in fp32, 2 + 2^-30 to 2; the exact sum is 3 + 2^-29.
  check_bound(bound_of_every_order("seq(2) | shuffle | seq", "fp32", {1, 0x1p-30, 2, 0x1p-30}),
              kU32 * Wide(3) + Wide(0x1p-29));
}

TEST_CASE("conversions of the terms are known exactly as well") {
  check_bound(bound_of_every_order("shuffle | seq", "fp64:fp32", {1 + 0x1p-30, 2, 4}),
              2 * kU32 * Wide(7) + Wide(0x1p-30));
}

TEST_CASE("fp32 atomics may flush an operand and a result for each partial sum") {
  const Wide flushed = 8 * 2 * Wide(0x1p-126);
  check_bound(bound_of_every_order("arrive | seq(acc=atomic)", "fp32", kTerms),
              7 * kU32 * (Wide(31.5) + flushed) + flushed);
  const std::vector<double> tiny(4, 0x1p-127);  // all flushed: the sum is 0, the exact one 2^-125
  CHECK(*bound_of_every_order("arrive | seq(acc=atomic)", "fp32", tiny) >= 0x1p-125);
  CHECK(*bound_of_every_order("tree | seq(acc=atomic)", "fp32", tiny) >= 0x1p-125);
  CHECK(*bound_of_every_order("arrive | seq", "fp32", tiny) < 0x1p-140);
  check_bound(bound_of_every_order("arrive | seq(acc=atomic)", "fp64", kTerms), 7 * Wide(0x1p-53) * Wide(31.5));
}

TEST_CASE("one Neumaier group is bounded by u |sum p| + gamma_{m-1}^2 sum|p|") {
  const Wide gamma = 7 * kU32 / (1 - 7 * kU32);
  check_bound(bound_of_every_order("shuffle | seq(acc=neumaier)", "fp32", kTerms),
              kU32 * Wide(13.5) + gamma * gamma * Wide(31.5));
}

TEST_CASE(
    "rounding the result to a narrower format adds u |S| and half its smallest subnormal, to a wider one nothing") {
  const Wide additions = 7 * kU32 * Wide(31.5);
  check_bound(bound_of_every_order("shuffle | seq", "fp32:fp32:fp16", kTerms),
              additions + Wide(0x1p-11) * (Wide(13.5) + additions) + Wide(0x1p-25));
  check_bound(bound_of_every_order("shuffle | seq", "fp32:fp32:fp64", kTerms), additions);
  const Wide in_fp16 = 7 * Wide(0x1p-11) * Wide(31.5);  // fp16 numbers are not all bf16 numbers
  check_bound(bound_of_every_order("shuffle | seq", "fp16:fp16:bf16", kTerms),
              in_fp16 + Wide(0x1p-8) * (Wide(13.5) + in_fp16) + Wide(0x1p-134));
  const Wide in_bf16 = 7 * Wide(0x1p-8) * Wide(31.5);  // nor the other way round
  check_bound(bound_of_every_order("shuffle | seq", "bf16:bf16:fp16", kTerms),
              in_bf16 + Wide(0x1p-11) * (Wide(13.5) + in_bf16) + Wide(0x1p-25));
}

TEST_CASE("for a fixed order it is the error itself, whatever the accumulator") {
  for (const char* order : {"seq", "seq(acc=kahan)", "numpy", "seq(acc=neumaier)"}) {
    CAPTURE(std::string(order));
    check_bound(bound_of_every_order(order, "fp16", {2048, 1, 4096}), Wide(1));  // 6145 rounds to 6144
    CHECK(std::bit_cast<std::uint64_t>(*bound_of_every_order(order, "fp16", {1, 2, 3})) ==
          std::bit_cast<std::uint64_t>(0.0));
  }
  check_bound(bound_of_every_order("seq", "fp32:fp32:fp16", {2048, 1}), Wide(1));
}

TEST_CASE("nothing is derived for Kahan, fma, 16-bit numpy and mixtures") {
  for (const char* order : {"shuffle | seq(acc=kahan)", "shuffle | seq(3,acc=neumaier) | seq", "shuffle | numpy",
                            "arrive | seq(2) | seq(acc=neumaier)"}) {
    CAPTURE(std::string(order));
    CHECK_FALSE(bound_of_every_order(order, "fp16", kTerms).has_value());
  }
  CHECK_FALSE(bound_of_every_order("shuffle | seq(acc=fma)", "fp32", kTerms, kTerms).has_value());
  CHECK(bound_of_every_order("shuffle | numpy", "fp32", kTerms).has_value());
  CHECK(bound_of_every_order("seq(2,acc=fma) | shuffle | seq", "fp32", kTerms, kTerms).has_value());
  CHECK(bound_of_every_order("seq(2,acc=kahan) | shuffle | seq", "fp32", kTerms).has_value());
}

TEST_CASE("it is infinite as soon as some order may overflow, in the partial sums or in the result") {
  const auto infinite = [](const std::optional<double>& bound) { return bound && std::isinf(*bound); };
  const std::vector<double> cancelling{60000, 60000, -60000, -60000, 1};  // finite in some orders
  CHECK(infinite(bound_of_every_order("shuffle | seq", "fp16", cancelling)));
  CHECK(infinite(bound_of_every_order("shuffle | seq(acc=neumaier)", "fp16", cancelling)));
  CHECK_FALSE(infinite(bound_of_every_order("shuffle | seq", "fp16:fp32", cancelling)));
  CHECK_FALSE(infinite(bound_of_every_order("shuffle | seq", "fp16:fp32:fp16", cancelling)));  // the sum itself is 1
  CHECK(infinite(bound_of_every_order("shuffle | seq", "fp16:fp32:fp16", {60000, 60000})));
  CHECK_FALSE(infinite(bound_of_every_order("shuffle | seq", "fp16", {30000, 30000})));
  CHECK(infinite(bound_of_every_order("shuffle | seq", "fp64", {1.7e308, -1.7e308, 1})));
  CHECK(infinite(bound_of_every_order("shuffle | seq", "fp32", {kInfinity, 1})));
  CHECK(infinite(bound_of_every_order("seq", "fp16", cancelling)));
}

TEST_CASE("sums in the hardest of many orders come close to it") {
  // fp16, 2048 and 63 ones: ascending is exact, descending loses all ones, each half an ulp, the tie going down.
  std::vector<double> terms(64, 1.0);
  terms[0] = 2048;
  const TypedTerms typed(Format::fp16, terms);
  const auto evaluator = Evaluator::make(parse_order("shuffle | seq"), typed.view(), parse_formats("fp16"), 1);
  std::vector<std::uint32_t> as_given(64);
  for (std::uint32_t i = 0; i < 64; ++i) as_given[i] = i;
  const ExactValue exact = exact_sum(typed.view());
  const double error = -exact.difference(evaluator->evaluate_arranged(as_given, *evaluator->make_scratch()).value);
  CHECK(std::bit_cast<std::uint64_t>(error) == std::bit_cast<std::uint64_t>(63.0));
  const double bound = *every_order_bound(*evaluator, exact);
  CHECK(bound >= 63);
  CHECK(bound <= 65);  // 63 u (2048 + 63) = 64.94
}
