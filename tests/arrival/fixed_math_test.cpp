// Accuracy of the logarithm, the exponential and the cosine against long double libm, and their bits.
#include "arrival/fixed_math.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "arrival/random_numbers.hpp"

using namespace orderlab;

static_assert(LDBL_MANT_DIG >= 64, "the oracle needs a long double with more bits than a double");

namespace {

const RandomStream kStream(1, streams::kTerms, 0);
constexpr std::uint64_t kTrials = 200000;

/// abs(computed - exact) in ulps of exact, a normal number. The oracle's own error, below 2^-10 ulp, is in kErrorUlp.
double error_ulp(double computed, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return static_cast<double>(std::abs(static_cast<long double>(computed) - exact) / std::ldexp(1.0L, exponent - 53));
}

double sample(std::uint64_t i) {
  const RandomStream::Block words = kStream.block(i);
  return open_uniform(words[0], words[1]);
}

}  // namespace

TEST_CASE("the logarithm is within its bound, near 1 and near the ends of its range too") {
  double worst = 0;
  const auto check = [&](double x) {
    worst = std::max(worst, error_ulp(fixed::log(x), std::log(static_cast<long double>(x))));
  };
  for (std::uint64_t i = 0; i < kTrials; ++i) {
    check(sample(i));
    check(1 + (sample(i) - 0.5) * 0x1p-20);
    check(std::ldexp(0.5 + sample(i), static_cast<int>(i % 2000) - 1000));
  }
  for (const double x : {0x1p-53, 0x1p-1022, std::numeric_limits<double>::max(), 1 - 0x1p-53, 1 + 0x1p-52, 2.0, 0.5})
    check(x);
  CHECK(worst <= fixed::kErrorUlp);
  MESSAGE("largest error of log: ", worst, " ulp");
  CHECK(std::bit_cast<std::uint64_t>(fixed::log(1)) == 0);
}

TEST_CASE("the cosine of turns is within its bound, near its zeros too") {
  double worst = 0;
  const long double two_pi = 2 * std::acos(-1.0L);
  // The exact reduction to a quarter turn keeps the oracle accurate at the zeros.
  const auto check = [&](double t) {
    const long double s = std::abs(static_cast<long double>(t) - 0.5L) - 0.25L;
    worst = std::max(worst, error_ulp(fixed::cos_turns(t), std::sin(two_pi * s)));
  };
  for (std::uint64_t i = 0; i < kTrials; ++i) {
    check(sample(i));
    check(0.25 + (2 * static_cast<double>(i) + 1) * 0x1p-33);
    check(0.75 - (2 * static_cast<double>(i) + 1) * 0x1p-33);
    check(open_uniform(static_cast<std::uint32_t>(i)));
  }
  CHECK(worst <= fixed::kErrorUlp);
  MESSAGE("largest error of cos_turns: ", worst, " ulp");
  CHECK(error_ulp(fixed::cos_turns(0), 1) <= 1);
  CHECK(error_ulp(fixed::cos_turns(0.5), -1) <= 1);
  CHECK(std::bit_cast<std::uint64_t>(fixed::cos_turns(0.25)) == 0);
}

TEST_CASE("the exponential is within its bound and ends in 0") {
  double worst = 0;
  const auto check = [&](double x) {
    worst = std::max(worst, error_ulp(fixed::exp(x), std::exp(static_cast<long double>(x))));
  };
  for (std::uint64_t i = 0; i < kTrials; ++i) {
    check(-sample(i));
    check(-708 * sample(i));
  }
  check(-708);
  CHECK(worst <= fixed::kErrorUlp);
  MESSAGE("largest error of exp: ", worst, " ulp");
  CHECK(std::bit_cast<std::uint64_t>(fixed::exp(0)) == std::bit_cast<std::uint64_t>(1.0));
  CHECK(std::bit_cast<std::uint64_t>(fixed::exp(-708.5)) == 0);
  CHECK(std::bit_cast<std::uint64_t>(fixed::exp(-std::numeric_limits<double>::max())) == 0);
}

TEST_CASE("compile time and run time give the same bits") {
  constexpr double at_compile_time[] = {fixed::log(0.3), fixed::cos_turns(0.3), fixed::exp(-0.3)};
  volatile double x = 0.3;
  CHECK(std::bit_cast<std::uint64_t>(fixed::log(x)) == std::bit_cast<std::uint64_t>(at_compile_time[0]));
  CHECK(std::bit_cast<std::uint64_t>(fixed::cos_turns(x)) == std::bit_cast<std::uint64_t>(at_compile_time[1]));
  CHECK(std::bit_cast<std::uint64_t>(fixed::exp(-x)) == std::bit_cast<std::uint64_t>(at_compile_time[2]));
}
