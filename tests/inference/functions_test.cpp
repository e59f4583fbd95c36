#include "inference/functions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace orderlab {

namespace {

double ulp_of(double x) { return std::nextafter(std::fabs(x), HUGE_VAL) - std::fabs(x); }

/// The C library's functions are within 1 ulp, ours within 2, as their documentation says.
constexpr double kUlps = 3;

}  // namespace

TEST_CASE("exp, log, erf and tanh of fixed steps are those of the C library within their errors") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> wide(-700, 700);
  std::uniform_real_distribution<double> narrow(-6, 6);
  for (int i = 0; i < 20000; ++i) {
    const double x = i % 2 == 0 ? wide(random) : narrow(random);
    CAPTURE(x);
    CHECK(std::fabs(portable_exp(x) - std::exp(x)) <= kUlps * ulp_of(std::exp(x)));
    const double positive = std::exp(x);
    CHECK(std::fabs(portable_log(positive) - std::log(positive)) <=
          kUlps * ulp_of(std::fmax(1, std::fabs(std::log(positive)))));
    const double y = narrow(random);
    CAPTURE(y);
    const double terms = 3 * (y * y + 10);  // each adds a rounding of the sum and two of the term
    CHECK(std::fabs(portable_erf(y) - std::erf(y)) <= 3 * terms * ulp_of(std::erf(y)));
    // The quotient of two numbers with a few roundings each; 1 - e loses what e is close to 1 by.
    CHECK(std::fabs(portable_tanh(y) - std::tanh(y)) <= 8 * ulp_of(1));
  }
  CHECK(portable_exp(0) == 1);
  CHECK(portable_exp(-HUGE_VAL) == 0);
  CHECK(portable_exp(HUGE_VAL) == HUGE_VAL);
  CHECK(std::isnan(portable_exp(NAN)));
  CHECK(portable_log(1) == 0);
  CHECK(portable_erf(0) == 0);
  CHECK(portable_erf(-9) == -1);
  CHECK(portable_tanh(30) == 1);
}

TEST_CASE("sines and cosines of angles up to 2^20") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> angles(-1048576, 1048576);
  for (int i = 0; i < 20000; ++i) {
    const double angle = i % 4 == 0 ? angles(random) / 1e5 : angles(random);
    CAPTURE(angle);
    const SineCosine both = portable_sine_cosine(angle);
    CHECK(std::fabs(both.sine - std::sin(angle)) <= 0x1p-51 + 0x1p-53);  // ours, and half an ulp of the library's
    CHECK(std::fabs(both.cosine - std::cos(angle)) <= 0x1p-51 + 0x1p-53);
  }
}

}  // namespace orderlab
