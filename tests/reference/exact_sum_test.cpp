// The superaccumulator against mpfr_sum, and its special values, carries and merges.
#include <doctest/doctest.h>

#include <cfenv>
#include <span>
#include <vector>

#include "doubles.hpp"
#include "orderlab/exact.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/mpfr_oracle.hpp"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace {

using namespace orderlab;
using namespace orderlab::testing;

constexpr std::uint64_t kExactSumSeed = 20240815;

/// Whether the value rounds to the bits that MPFR's sum rounds to, in every format; says where it does not.
bool agrees(const ExactValue& value, const std::vector<double>& x, const std::vector<double>& y = {}) {
  Mpfr sum;
  mpfr_exact_sum(sum, x, y);
  for (const FormatInfo& f : kFormats) {
    const std::uint64_t expected = rounded_bits(f.format, sum);
    if (value.round_to(f.format) == expected) continue;
    CAPTURE(f.name);
    CAPTURE(hex_list(x));
    CAPTURE(hex_list(y));
    CHECK(value.round_to(f.format) == expected);
    return false;
  }
  return true;
}

std::uint64_t bits_of_sum(const std::vector<double>& x) { return exact_sum(x).round_to(Format::fp64); }

TEST_CASE("sums of hard terms round to the bits of mpfr_sum in every format") {
  INFO("seed " << kExactSumSeed);
  const RandomStream stream(kExactSumSeed, 1, 0);
  for (std::uint64_t trial = 0; trial < trials(300000); ++trial) {
    IndexGenerator draw(stream, trial);
    const std::vector<double> x = hard_terms(draw);
    CAPTURE(trial);
    REQUIRE(agrees(exact_sum(x), x));
  }
}

TEST_CASE("sums of products round to the bits of exact MPFR products") {
  INFO("seed " << kExactSumSeed);
  const RandomStream stream(kExactSumSeed, 2, 0);
  for (std::uint64_t trial = 0; trial < trials(50000); ++trial) {
    IndexGenerator draw(stream, trial);
    std::vector<double> x = hard_terms(draw);
    std::vector<double> y;
    const std::uint64_t kind = below(draw, 4);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (kind == 0) y.push_back(any_finite(draw, Format::fp64));
      if (kind == 1) y.push_back(any_subnormal(draw));
      if (kind == 2) y.push_back(near_one(draw));
      if (kind == 3) y.push_back(i > 0 && chance(draw, 2) ? y.back() : with_random_sign(draw, 1.0));
    }
    if (chance(draw, 4)) {  // ties of the smallest subnormal of fp64, which no sum of doubles has
      x.push_back(0x1p-600);
      y.push_back(with_random_sign(draw, 0x1p-475));
      x.push_back(kSmallest);
      y.push_back(with_random_sign(draw, static_cast<double>(below(draw, 3))));
    }
    CAPTURE(trial);
    REQUIRE(agrees(exact_sum(view_of(x.data(), x.size(), y.data())), x, y));
  }
}

TEST_CASE_TEMPLATE("terms of every format add as the doubles they are", T, double, float, Half, Bfloat16) {
  constexpr Format kFormat = kFormatOf<T>;
  const RandomStream stream(kExactSumSeed, 3, 0);
  for (std::uint64_t trial = 0; trial < trials(500); ++trial) {
    IndexGenerator draw(stream, trial);
    std::vector<T> x, y;
    std::vector<double> wide_x, wide_y, magnitude_x, magnitude_y;
    for (std::uint64_t n = below(draw, 60); n > 0; --n) {
      wide_x.push_back(any_finite(draw, kFormat));
      wide_y.push_back(any_finite(draw, kFormat));
      x.push_back(round_to<T>(wide_x.back()));
      y.push_back(round_to<T>(wide_y.back()));
      magnitude_x.push_back(std::fabs(wide_x.back()));
      magnitude_y.push_back(std::fabs(wide_y.back()));
    }
    CAPTURE(trial);
    REQUIRE(agrees(exact_sum(view_of(x.data(), x.size())), wide_x));
    REQUIRE(agrees(exact_sum(view_of(x.data(), x.size(), y.data())), wide_x, wide_y));
    REQUIRE(agrees(exact_sum_abs(view_of(x.data(), x.size())), magnitude_x));
    REQUIRE(agrees(exact_sum_abs(view_of(x.data(), x.size(), y.data())), magnitude_x, magnitude_y));
  }
}

TEST_CASE_TEMPLATE("infinities, NaN and zeros of every format are seen", T, double, float, Half, Bfloat16) {
  const auto sum = [](std::vector<double> values, std::vector<double> factors = {}) {
    std::vector<T> x, y;
    for (const double v : values) x.push_back(round_to<T>(v));
    for (const double v : factors) y.push_back(round_to<T>(v));
    return bits_of(exact_sum(view_of(x.data(), x.size(), factors.empty() ? nullptr : y.data())).to_double());
  };
  CHECK(sum({1, kInfinity, -5}) == bits_of(kInfinity));
  CHECK(sum({-kInfinity, 1, -kInfinity}) == bits_of(-kInfinity));
  CHECK(sum({kInfinity, -kInfinity}) == bits_of(kNan));
  CHECK(sum({kInfinity, kNan}) == bits_of(kNan));
  CHECK(sum({0.0, kInfinity}, {kInfinity, 1}) == bits_of(kNan));
  CHECK(sum({kInfinity, 1}, {-0.0, 1}) == bits_of(kNan));
  CHECK(sum({kNan}, {0.0}) == bits_of(kNan));
  CHECK(sum({kInfinity, 1}, {-2, 1}) == bits_of(-kInfinity));
  CHECK(sum({-kInfinity}, {-kInfinity}) == bits_of(kInfinity));
  CHECK(sum({-0.0, -0.0}) == bits_of(-0.0));
  CHECK(sum({-0.0, 0.0}) == bits_of(0.0));
  CHECK(sum({-0.0}, {1}) == bits_of(-0.0));
  CHECK(sum({-0.0}, {-0.0}) == bits_of(0.0));
  CHECK(sum({0.0, -0.0}, {-1, 3}) == bits_of(-0.0));
  CHECK(sum({1, -1, -0.0}) == bits_of(0.0));
}

TEST_CASE("a sum of nothing is +0 and a sum of negative zeros only is -0") {
  CHECK(bits_of_sum({}) == bits_of(0.0));
  CHECK(ExactSum().value().round_to(Format::fp16) == 0);
  CHECK(ExactValue().round_to(Format::fp64) == bits_of(0.0));
  ExactSum sum;
  sum.merge(ExactSum());
  sum.add(-0.0);
  sum.merge(ExactSum());
  CHECK(sum.value().round_to(Format::fp64) == bits_of(-0.0));
  CHECK(sum.value().round_to(Format::bf16) == 0x8000);
  ExactSum positive;
  positive.subtract(-0.0);
  CHECK(positive.value().round_to(Format::fp64) == bits_of(0.0));
  sum.merge(positive);
  CHECK(sum.value().round_to(Format::fp64) == bits_of(0.0));
}

TEST_CASE("absolute values have no negative infinity and no negative zero") {
  const std::vector<double> x{-kInfinity, kInfinity, -1};
  CHECK(exact_sum_abs(view_of(x.data(), x.size())).to_double() == kInfinity);
  const double zero = -0.0;
  CHECK(exact_sum_abs(view_of(&zero, 1)).round_to(Format::fp64) == bits_of(0.0));
}

TEST_CASE("merging the sums of any split gives the sum of the whole") {
  INFO("seed " << kExactSumSeed);
  const RandomStream stream(kExactSumSeed, 4, 0);
  for (std::uint64_t trial = 0; trial < trials(2000); ++trial) {
    IndexGenerator draw(stream, trial);
    const std::vector<double> x = hard_terms(draw);
    std::vector<ExactSum> parts(1 + below(draw, 5));
    for (const double term : x) parts[below(draw, parts.size())].add(term);
    while (parts.size() > 1) {
      const std::size_t into = below(draw, parts.size() - 1);
      parts[into].merge(parts.back());
      parts.pop_back();
    }
    CAPTURE(trial);
    REQUIRE(agrees(parts[0].value(), x));
  }
}

TEST_CASE("infinities and NaN survive a merge") {
  ExactSum a, b;
  a.add(kInfinity);
  b.add(1);
  b.merge(a);
  CHECK(b.value().to_double() == kInfinity);
  a.subtract(kInfinity);
  b.merge(a);
  CHECK(b.value().round_to(Format::fp64) == bits_of(kNan));
  ExactSum c, d;
  c.add(-kInfinity);
  d.merge(c);
  CHECK(d.value().to_double() == -kInfinity);
  d.add_product(0, kInfinity);
  CHECK(d.value().round_to(Format::fp64) == bits_of(kNan));
}

TEST_CASE("carries keep many terms of one digit exact") {
  for (const std::size_t n : {1023U, 1024U, 1025U, 2049U, 100003U}) {
    for (const double term : {kLargest, -kLargest, kSmallest, -kSmallest, 0x1.fffffffffffffp9, -0x1.fffffffffffffp9}) {
      CAPTURE(n);
      CAPTURE(term);
      const std::vector<double> x(n, term);
      const ExactValue loop = exact_sum(x);
      ExactSum one_by_one;
      for (const double t : x) one_by_one.add(t);
      ExactSum squares;
      for (const double t : x) squares.add_product(t, t);
      Mpfr expected(term, Mpfr::kExact), square(term, Mpfr::kExact);
      mpfr_mul_ui(expected.get(), expected.get(), n, MPFR_RNDN);
      mpfr_sqr(square.get(), square.get(), MPFR_RNDN);
      mpfr_mul_ui(square.get(), square.get(), n, MPFR_RNDN);
      for (const FormatInfo& f : kFormats) {
        CHECK(loop.round_to(f.format) == rounded_bits(f.format, expected));
        CHECK(one_by_one.value().round_to(f.format) == rounded_bits(f.format, expected));
        CHECK(squares.value().round_to(f.format) == rounded_bits(f.format, square));
      }
      CHECK(loop.exponent() == mpfr_get_exp(expected.get()) - 1);
      CHECK(squares.value().exponent() == mpfr_get_exp(square.get()) - 1);
    }
  }
}

TEST_CASE("a digit has room wherever in it the terms lie") {
  constexpr std::size_t kTerms = 10007;
  for (int e = 0; e < 32; ++e) {
    for (const double sign : {1.0, -1.0}) {
      const double term = sign * std::ldexp(0x1.fffffffffffffp0, e);
      const std::vector<double> x(kTerms, term);
      Mpfr expected(term, Mpfr::kExact), square(term, Mpfr::kExact);
      mpfr_mul_ui(expected.get(), expected.get(), kTerms, MPFR_RNDN);
      mpfr_sqr(square.get(), square.get(), MPFR_RNDN);
      mpfr_mul_ui(square.get(), square.get(), kTerms, MPFR_RNDN);
      CAPTURE(term);
      CHECK(exact_sum(x).round_to(Format::fp64) == rounded_bits(Format::fp64, expected));
      const ExactValue squares = exact_sum(view_of(x.data(), x.size(), x.data()));
      CHECK(squares.round_to(Format::fp64) == rounded_bits(Format::fp64, square));
    }
  }
}

TEST_CASE("doubling a sum by merging it with itself 62 times leaves room") {
  ExactSum sum, negative;
  sum.add_product(kLargest, kLargest);
  negative.add_product(-kLargest, kLargest);
  for (int i = 0; i < 62; ++i) {
    sum.merge(sum);
    negative.merge(negative);
  }
  CHECK(sum.value().exponent() == 2047 + 62);
  CHECK(negative.value().exponent() == 2047 + 62);
  CHECK(negative.value().to_double() == -kInfinity);
  sum.add(0x1p-1074);
  sum.merge(negative);
  CHECK(sum.value().round_to(Format::fp64) == bits_of(0x1p-1074));
}

TEST_CASE("sums do not depend on the rounding mode or on flushing subnormals") {
  const RandomStream stream(kExactSumSeed, 5, 0);
  for (std::uint64_t trial = 0; trial < trials(300); ++trial) {
    IndexGenerator draw(stream, trial);
    const std::vector<double> x = hard_terms(draw);
    std::vector<float> narrow;
    for (int i = 0; i < 8; ++i) narrow.push_back(static_cast<float>(any_subnormal(draw) * 0x1p900));
    narrow.push_back(0x1p-149F);
    const std::uint64_t expected = bits_of_sum(x);
    const std::uint64_t expected_narrow = exact_sum(view_of(narrow.data(), narrow.size())).round_to(Format::fp32);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
#ifdef __SSE2__
      const unsigned control = _mm_getcsr();
      _mm_setcsr(control | 0x8040);  // flush to zero, denormals are zero
#endif
      const std::uint64_t actual = bits_of_sum(x);
      const std::uint64_t actual_narrow = exact_sum(view_of(narrow.data(), narrow.size())).round_to(Format::fp32);
#ifdef __SSE2__
      _mm_setcsr(control);
#endif
      std::fesetround(FE_TONEAREST);
      REQUIRE(actual == expected);
      REQUIRE(actual_narrow == expected_narrow);
    }
  }
}

}  // namespace
