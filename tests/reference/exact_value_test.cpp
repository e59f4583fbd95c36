// Differences, exponents and decimal digits of exact values, and ratios, against MPFR.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "doubles.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/mpfr_oracle.hpp"

namespace {

using namespace orderlab;
using namespace orderlab::testing;

constexpr std::uint64_t kExactValueSeed = 20240816;

ExactValue value_of(std::vector<double> x) { return exact_sum(x); }

TEST_CASE("a difference is the exact one rounded once") {
  INFO("seed " << kExactValueSeed);
  const RandomStream stream(kExactValueSeed, 1, 0);
  for (std::uint64_t trial = 0; trial < trials(20000); ++trial) {
    IndexGenerator draw(stream, trial);
    const std::vector<double> x = hard_terms(draw);
    const ExactValue value = exact_sum(x);
    double from = chance(draw, 2) ? value.to_double() : any_finite(draw, Format::fp64);
    if (chance(draw, 4)) from = std::nextafter(from, kInfinity);
    if (!std::isfinite(from)) continue;
    Mpfr expected;
    mpfr_exact_sum(expected, x);
    mpfr_d_sub(expected.get(), from, expected.get(), MPFR_RNDN);
    CAPTURE(trial);
    CAPTURE(hex_list(x));
    CAPTURE(hex_list({from}));
    REQUIRE(bits_of(value.difference(from)) == rounded_bits(Format::fp64, expected));
  }
}

TEST_CASE("a difference from a sum of products is the exact one rounded once, however far they are apart") {
  INFO("seed " << kExactValueSeed);
  const RandomStream stream(kExactValueSeed, 7, 0);
  for (std::uint64_t trial = 0; trial < trials(5000); ++trial) {
    IndexGenerator draw(stream, trial);
    std::vector<double> x, y;
    for (std::uint64_t n = 1 + below(draw, 4); n > 0; --n) {
      x.push_back(chance(draw, 4) ? any_subnormal(draw) : any_finite(draw, Format::fp64));
      y.push_back(chance(draw, 4) ? any_subnormal(draw) : any_finite(draw, Format::fp64));
    }
    const double from = chance(draw, 4) ? any_subnormal(draw) : any_finite(draw, Format::fp64);
    Mpfr expected;
    mpfr_exact_sum(expected, x, y);
    mpfr_d_sub(expected.get(), from, expected.get(), MPFR_RNDN);
    CAPTURE(trial);
    CAPTURE(hex_list(x));
    CAPTURE(hex_list(y));
    CAPTURE(hex_list({from}));
    const ExactValue value = exact_sum(view_of(x.data(), x.size(), y.data()));
    REQUIRE(bits_of(value.difference(from)) == rounded_bits(Format::fp64, expected));
  }
}

TEST_CASE("a difference with an infinity or NaN is NaN, one that is zero has IEEE 754's sign") {
  CHECK(bits_of(value_of({1}).difference(kInfinity)) == bits_of(kNan));
  CHECK(bits_of(value_of({1}).difference(kNan)) == bits_of(kNan));
  CHECK(bits_of(value_of({kInfinity}).difference(1)) == bits_of(kNan));
  CHECK(bits_of(value_of({1}).difference(1)) == bits_of(0.0));
  CHECK(bits_of(value_of({-1}).difference(-1)) == bits_of(0.0));
  CHECK(bits_of(value_of({0.0}).difference(-0.0)) == bits_of(-0.0));
  CHECK(bits_of(value_of({-0.0}).difference(-0.0)) == bits_of(0.0));
  CHECK(bits_of(value_of({0.0}).difference(0.0)) == bits_of(0.0));
  const double max = std::numeric_limits<double>::max();
  CHECK(value_of({max, max}).difference(max) == -max);
  CHECK(value_of({max, max, max}).difference(max) == -kInfinity);
}

TEST_CASE("exponents are those of the unrounded value") {
  CHECK(value_of({1}).exponent() == 0);
  CHECK(value_of({1, -0x1p-1074}).exponent() == -1);
  CHECK(value_of({-1, -0x1p-1074}).exponent() == 0);
  CHECK(value_of({0x1p-1074}).exponent() == -1074);
  ExactSum sum;
  sum.add_product(0x1p-1074, -0x1p-1074);
  CHECK(sum.value().exponent() == -2148);
  CHECK(sum.value().round_to(Format::fp64) == bits_of(-0.0));
  CHECK_FALSE(sum.value().zero());
}

TEST_CASE("the unit of ulp errors follows the exact value and ends at the smallest subnormal") {
  for (const FormatInfo& f : kFormats) {
    CHECK(value_of({1}).ulp_exponent(f.format) == 1 - f.precision);
    CHECK(value_of({2, -0x1p-1074}).ulp_exponent(f.format) == 1 - f.precision);
    CHECK(value_of({0x1p1023, 0x1p1023}).ulp_exponent(f.format) == 1024 - f.precision + 1);
    CHECK(value_of({0x1p-1074}).ulp_exponent(f.format) == f.e_min - f.precision + 1);
    CHECK(value_of({}).ulp_exponent(f.format) == f.e_min - f.precision + 1);
  }
}

TEST_CASE("decimal digits are those of printf's %g on the exact value") {
  INFO("seed " << kExactValueSeed);
  const RandomStream stream(kExactValueSeed, 2, 0);
  for (std::uint64_t trial = 0; trial < trials(5000); ++trial) {
    IndexGenerator draw(stream, trial);
    std::vector<double> x = hard_terms(draw);
    if (chance(draw, 4)) x = {near_one(draw), near_one(draw)};
    Mpfr sum;
    mpfr_exact_sum(sum, x);
    if (mpfr_zero_p(sum.get()) != 0) continue;
    const int digits = static_cast<int>(1 + below(draw, chance(draw, 10) ? 1600 : 30));
    char* expected = nullptr;
    mpfr_asprintf(&expected, "%.*Rg", digits, sum.get());
    CAPTURE(trial);
    REQUIRE(exact_sum(x).decimal(digits) == expected);
    mpfr_free_str(expected);
  }
}

TEST_CASE("decimals of everyday values look as people write them") {
  CHECK(value_of({5012345.25}).decimal(17) == "5012345.25");
  CHECK(value_of({1.25e-300}).decimal(10) == "1.25e-300");
  CHECK(value_of({-0.5}).decimal(3) == "-0.5");
  CHECK(value_of({0x1p100}).decimal(31) == "1267650600228229401496703205376");
  CHECK(value_of({1e22}).decimal(5) == "1e+22");
  CHECK(value_of({9.96}).decimal(2) == "10");
  CHECK(value_of({0.0001}).decimal(3) == "0.0001");
  CHECK(value_of({100}).decimal(3) == "100");
  CHECK(value_of({}).decimal(5) == "0");
  CHECK(value_of({-0.0}).decimal(5) == "0");
  CHECK(value_of({kInfinity}).decimal(5) == "inf");
  CHECK(value_of({-kInfinity}).decimal(5) == "-inf");
  CHECK(value_of({kNan}).decimal(5) == "nan");
  CHECK_THROWS_AS(value_of({1}).decimal(0), Error);
}

TEST_CASE("a decimal has every digit of the widest exact value") {
  ExactSum sum;
  const double max = std::numeric_limits<double>::max();
  sum.add_product(max, max);
  sum.add_product(0x1p-1074, 0x1p-1074);
  const std::string text = sum.value().decimal(3000);  // 617 digits before the point, 2148 after it
  CHECK(text.size() == 617 + 1 + 2148);
  CHECK(text.substr(text.size() - 5) == "40625");
}

TEST_CASE("a value is read from its decimal") {
  INFO("seed " << kExactValueSeed);
  const RandomStream stream(kExactValueSeed, 4, 0);
  for (std::uint64_t trial = 0; trial < trials(2000); ++trial) {
    IndexGenerator draw(stream, trial);
    const std::vector<double> x = hard_terms(draw);
    const ExactValue value = exact_sum(x);
    CAPTURE(trial);
    CAPTURE(hex_list(x));
    const auto all = ExactValue::from_decimal(value.decimal(1300));
    REQUIRE(all);
    CHECK(bits_of(all->to_double()) == bits_of(value.to_double() + 0.0));  // "0" has no sign
    if (!value.finite() || value.zero()) continue;
    CHECK(all->exponent() == value.exponent());
    const int digits = static_cast<int>(value.exponent() * 0.30103) + 640;  // down to 10^-639, above 2^-2148
    CHECK(all->decimal(digits) == value.decimal(digits));
    CHECK(ExactValue::from_decimal(value.decimal(40))->decimal(40) == value.decimal(40));
  }
  CHECK(ExactValue::from_decimal("-0.5")->to_double() == -0.5);
  CHECK(ExactValue::from_decimal("1e+400")->exponent() == 1328);
  CHECK(ExactValue::from_decimal("1e-400")->exponent() == -1329);
  CHECK(ExactValue::from_decimal("1e-700")->zero());
  CHECK(ExactValue::from_decimal("-inf")->to_double() == -kInfinity);
  CHECK(std::isnan(ExactValue::from_decimal("nan")->to_double()));
  for (const char* text : {"", "x", "1 ", " 1", "0x1p3", "1e", "--1", "1e700", "1e99999999999999999999", "1,5"})
    CHECK(!ExactValue::from_decimal(text));
  CHECK(ExactValue::from_decimal("1e-99999999999999999999")->zero());
}

TEST_CASE("a ratio is the exact difference over the divisor rounded once") {
  INFO("seed " << kExactValueSeed);
  const RandomStream stream(kExactValueSeed, 3, 0);
  for (std::uint64_t trial = 0; trial < trials(40000); ++trial) {
    IndexGenerator draw(stream, trial);
    double a = chance(draw, 2) ? near_one(draw) : any_finite(draw, Format::fp64);
    double b = chance(draw, 2) ? near_one(draw) : any_finite(draw, Format::fp64);
    double c = chance(draw, 2) ? near_one(draw) : any_finite(draw, Format::fp64);
    if (chance(draw, 6)) b = std::nextafter(a, 0);
    if (chance(draw, 10)) b = with_random_sign(draw, a);
    if (chance(draw, 10)) b = with_random_sign(draw, 0.0);
    if (chance(draw, 10)) a = with_random_sign(draw, 0.0);
    if (chance(draw, 6)) a = any_subnormal(draw);
    if (chance(draw, 6)) b = any_subnormal(draw);
    if (chance(draw, 6)) c = any_subnormal(draw);
    if (chance(draw, 6)) c = with_random_sign(draw, std::ldexp(1.0, static_cast<int>(below(draw, 2098)) - 1074));
    if (c == 0) continue;
    // 2100 bits hold a - b; an inexact quotient of it and of 53 bits is no tie of 53 bits, so rounded_bits of a
    // quotient of twice as many is correct.
    Mpfr expected(a, Mpfr::kExact);
    mpfr_sub_d(expected.get(), expected.get(), b, MPFR_RNDN);
    mpfr_div_d(expected.get(), expected.get(), c, MPFR_RNDN);
    CAPTURE(hex_list({a, b, c}));
    REQUIRE(bits_of(exact_ratio(a, b, c)) == rounded_bits(Format::fp64, expected));
  }
}

TEST_CASE("a quotient that lies above a tie by its remainder only is rounded up") {
  // 2^-52 / (2 - 2^-52) = 2^-53 (1 + 2^-53 + 2^-106 + ...)
  CHECK(exact_ratio(0x1.0000000000001p0, 1, 0x1.fffffffffffffp0) == 0x1.0000000000001p-53);
  CHECK(exact_ratio(1, 0x1.0000000000001p0, 0x1.fffffffffffffp0) == -0x1.0000000000001p-53);
}

}  // namespace
