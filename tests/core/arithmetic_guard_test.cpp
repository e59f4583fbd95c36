// The promises of core/arithmetic_guard.hpp and of the build's flags, seen from what additions return.
#include "core/arithmetic_guard.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "orderlab/format.hpp"

using namespace orderlab;

TEST_CASE("a product and a sum are rounded apart, never fused") {
  // (1 + 2^-27)^2 = 1 + 2^-26 + 2^-54 rounds to 1 + 2^-26; a fused operation would leave 2^-54.
  volatile double x = 1 + 0x1p-27;
  volatile double minus = -(1 + 0x1p-26);
  const double a = x;
  const double c = minus;
  CHECK(bits_of(a * a + c) == bits_of(0.0));
  CHECK(bits_of(std::fma(a, a, c)) == bits_of(0x1p-54));
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, a tie that rounds to even.
  volatile float y = 1 + 0x1p-12f;
  volatile float minus_y = -(1 + 0x1p-11f);
  const float b = y;
  const float d = minus_y;
  CHECK(bits_of(b * b + d) == bits_of(0.0f));
  CHECK(bits_of(std::fma(b, b, d)) == bits_of(0x1p-24f));
}

TEST_CASE("additions are done as written and in their own format") {
  volatile double big = 0x1p53;
  volatile double one = 1;
  const double a = big;
  const double b = one;
  CHECK(bits_of((a + b) - a) == bits_of(0.0));  // b, if additions were reordered or wider
  volatile float big_float = 0x1p24f;
  volatile float one_float = 1;
  const float c = big_float;
  const float d = one_float;
  CHECK(bits_of((c + d) - c) == bits_of(0.0f));
}

TEST_CASE("zeros keep their signs and subnormals their values") {
  volatile double zero = 0;
  volatile double tiny = 0x1p-1074;
  volatile float tiny_float = 0x1p-149f;
  CHECK(bits_of(-zero + -zero) == bits_of(-0.0));
  CHECK(bits_of(-zero + zero) == bits_of(0.0));
  CHECK(bits_of(tiny + zero) == 1);
  CHECK(bits_of(tiny_float + tiny_float) == 2);
}
