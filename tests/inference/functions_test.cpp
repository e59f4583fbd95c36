#include "inference/functions.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

double ulp_of(double x) { return std::nextafter(std::fabs(x), HUGE_VAL) - std::fabs(x); }

}  // namespace

TEST_CASE("erf, tanh and silu of fixed steps are those of the C library within their errors") {
  const Terms numbers = generate_terms("uniform(-6,6)", 20000, Format::fp64, 7);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers.view().left(i);
    CAPTURE(x);
    const double terms = 3 * (x * x + 10);  // each adds a rounding of the sum and two of the term
    CHECK(std::fabs(fixed::erf(x) - std::erf(x)) <= (3 * terms + 2 * fixed::kErrorUlp) * ulp_of(std::erf(x)));
    // Quotients of numbers below 2 with an error of e^x, and a rounding or two.
    CHECK(std::fabs(fixed::tanh(x) - std::tanh(x)) <= 2 * fixed::kErrorUlp * ulp_of(1));
    CHECK(std::fabs(fixed::silu(x) - x / (1 + std::exp(-x))) <= std::fabs(x) * 2 * fixed::kErrorUlp * ulp_of(1));
  }
  CHECK(fixed::erf(0) == 0);
  CHECK(fixed::erf(-9) == -1);
  CHECK(std::isnan(fixed::erf(NAN)));
  CHECK(fixed::tanh(30) == 1);
  CHECK(fixed::silu(-1000) == 0);
}

TEST_CASE("sines and cosines of angles up to 2^20") {
  const Terms angles = generate_terms("uniform(-1048576,1048576)", 20000, Format::fp64, 9);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double angle = angles.view().left(i) / (i % 4 == 0 ? 1e5 : 1);
    CAPTURE(angle);
    const fixed::SineCosine both = fixed::sine_cosine(angle);
    CHECK(std::fabs(both.sine - std::sin(angle)) <= 0x1p-51 + 0x1p-53);  // ours, and half an ulp of the library's
    CHECK(std::fabs(both.cosine - std::cos(angle)) <= 0x1p-51 + 0x1p-53);
  }
}

}  // namespace orderlab
