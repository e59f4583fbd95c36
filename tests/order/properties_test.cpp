// What holds for every order whatever it is: exact sums, scaling, negation, and the running bound.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/exact.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::vector<double> integers(std::uint64_t seed, std::size_t n) {
  IndexGenerator draw(RandomStream(seed, 0, n), 0);
  std::vector<double> x(n);
  for (double& term : x) term = static_cast<double>(below(draw, 7)) - 3;
  return x;
}

/// Multiples of 2^-10 below 2: in every format, and in all sums of up to 1000 of them, far from overflow; whatever is
/// rounded or compensated stays a multiple of 2^-10, so nothing is subnormal.
std::vector<double> moderate(std::uint64_t seed, Format format, std::size_t n) {
  IndexGenerator draw(RandomStream(seed, 0, n), 0);
  std::vector<double> x(n);
  const double grain = std::ldexp(1.0, 1 - info(format).precision) < 0x1p-10 ? 0x1p-10 : 0x1p-7;
  for (double& term : x) term = with_random_sign(draw, 1 + grain * static_cast<double>(below(draw, 128)));
  return x;
}

std::vector<double> times(const std::vector<double>& x, double factor) {
  std::vector<double> result;
  for (const double term : x) result.push_back(term * factor);
  return result;
}

double value_of(const std::string& pipeline, const TypedTerms& terms, const Formats& formats, std::uint64_t sample) {
  return evaluate_once(*Evaluator::make(parse_order(pipeline), terms.view(), formats, 1), sample).value;
}

/// Sorting by value does not commute with a change of sign.
bool sorts_by_value(const std::string& pipeline) {
  return pipeline.find("sort(asc)") != std::string::npos || pipeline.find("sort(desc)") != std::string::npos;
}

}  // namespace

TEST_CASE("sums of small integers are exact in any order") {
  for (const std::string& pipeline : product_pipelines())
    for (const FormatInfo& f : kFormats)
      for (const std::size_t n : {1u, 2u, 31u, 32u, 33u, 80u, 600u}) {
        if (3 * static_cast<double>(n) > std::ldexp(1.0, f.precision))
          continue;  // partial sums may exceed the integers
        CAPTURE(pipeline);
        CAPTURE(f.name);
        CAPTURE(n);
        const auto x = integers(n, n);
        const std::vector<double> ones(n, 1);
        double sum = 0;
        for (const double term : x) sum += term;
        const TypedTerms terms = is_fused(pipeline) ? TypedTerms(f.format, x, ones) : TypedTerms(f.format, x);
        for (const std::uint64_t sample : {0u, 1u})
          CHECK(bits_of(value_of(pipeline, terms, {f.format, f.format, f.format}, sample)) == bits_of(sum));
      }
}

TEST_CASE("scaling the terms by a power of two scales the sum") {
  for (const std::string& pipeline : numeric_pipelines())
    for (const FormatInfo& f : kFormats)
      for (const std::size_t n : {3u, 33u, 500u}) {
        CAPTURE(pipeline);
        CAPTURE(f.name);
        CAPTURE(n);
        const Formats formats{f.format, f.format, f.format};
        const auto x = moderate(n, f.format, n);
        for (const double factor : {8.0, 0.125}) {
          const double sum = value_of(pipeline, TypedTerms(f.format, x), formats, 1);
          CHECK(bits_of(value_of(pipeline, TypedTerms(f.format, times(x, factor)), formats, 1)) ==
                bits_of(sum * factor));
        }
      }
}

TEST_CASE("negating the terms negates the sum") {
  std::uint64_t seed = 500;
  for (const std::string& pipeline : product_pipelines()) {
    if (sorts_by_value(pipeline)) continue;
    for (const Formats& formats : formats_to_try())
      for (const Trouble trouble :
           {Trouble::near_one, Trouble::wide, Trouble::cancelling, Trouble::subnormal, Trouble::ties}) {
        CAPTURE(pipeline);
        ++seed;
        CAPTURE(seed);
        const std::size_t n = 50;
        const auto x = troublesome_numbers(seed, formats.terms, trouble, n);
        const auto make = [&](double sign) {
          const auto signed_x = times(x, sign);
          return is_fused(pipeline)
                     ? TypedTerms(formats.terms, signed_x, troublesome_numbers(seed, formats.terms, Trouble::ties, n))
                     : TypedTerms(formats.terms, signed_x);
        };
        const double sum = value_of(pipeline, make(1), formats, 2);
        const double negated = value_of(pipeline, make(-1), formats, 2);
        if (sum == 0)
          CHECK(std::fabs(negated) == 0);
        else
          CHECK(bits_of(negated) == bits_of(-sum));  // NaN is canonical
      }
  }
}

TEST_CASE("the error is within the running bound where there is one") {
  std::uint64_t seed = 700'000;
  std::uint64_t tried = 0;
  std::uint64_t unbounded = 0;
  for (const std::string& pipeline : product_pipelines())
    for (const Formats& formats : formats_to_try())
      for (const Trouble trouble : {Trouble::near_one, Trouble::wide, Trouble::cancelling, Trouble::subnormal,
                                    Trouble::ties, Trouble::signed_zeros})
        for (const std::size_t n : {1u, 2u, 20u, 300u}) {
          CAPTURE(pipeline);
          ++seed;
          CAPTURE(seed);
          CAPTURE(n);
          const std::string format_text = to_string(formats);
          CAPTURE(format_text);
          const auto x = troublesome_numbers(seed, formats.terms, trouble, n);
          const TypedTerms terms =
              is_fused(pipeline) || seed % 5 == 0
                  ? TypedTerms(formats.terms, x, troublesome_numbers(seed + 1, formats.terms, kTroubles[seed % 7], n))
                  : TypedTerms(formats.terms, x);
          const ExactValue exact = exact_sum(terms.view());
          REQUIRE(exact.finite());
          const auto evaluator = Evaluator::make(parse_order(pipeline), terms.view(), formats, 1);
          const Evaluation evaluation = evaluate_once(*evaluator, 1);
          const std::optional<double> bound = running_bound(evaluation.error);
          if (!bound) {
            ++unbounded;
            CHECK(pipeline.find("kahan") != std::string::npos);
            continue;
          }
          ++tried;
          if (!std::isfinite(evaluation.value)) {
            CHECK(*bound == HUGE_VAL);
            continue;
          }
          // The difference is rounded to nearest and the bound is a double: rounding cannot put it above the bound.
          CHECK(std::fabs(exact.difference(evaluation.value)) <= *bound);
        }
  CHECK(tried > unbounded);
}

TEST_CASE("an exact sum has a running bound all the same, and a single term has none to speak of") {
  const std::vector<double> x{1, 2, 3};
  CHECK(*running_bound(evaluate_once(*Evaluator::make(parse_order("seq"), view_of(x.data(), 3), {}, 1)).error) > 0);
  CHECK(bits_of(*running_bound(
            evaluate_once(*Evaluator::make(parse_order("seq"), view_of(x.data(), 1), {}, 1)).error)) == bits_of(0.0));
}
