#include <doctest/doctest.h>

#include <cmath>

#include "orderlab/format.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::uint64_t infinity_of(Format format) { return round_to_bits(format, HUGE_VAL); }
std::uint64_t negative(Format format, std::uint64_t bits) {
  return bits | (std::uint64_t{1} << (info(format).bits - 1));
}

}  // namespace

TEST_CASE("an ulp is the distance to the next number away from zero") {
  const std::uint64_t seed = 31;
  CAPTURE(seed);
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  for (const FormatInfo& f : kFormats) {
    CAPTURE(f.name);
    for (std::uint64_t i = 0; i < trials(2000); ++i) {
      const double x = std::fabs(any_finite(draw, f.format));
      const std::uint64_t bits = round_to_bits(f.format, x);
      if (x == 0 || bits + 1 == infinity_of(f.format)) continue;
      const double step = value_of_bits(f.format, bits + 1) - x;
      CHECK(bits_of(std::ldexp(1.0, ulp_exponent(f.format, std::ilogb(x)))) == bits_of(step));
    }
  }
}

TEST_CASE("the exponent of an ulp is bounded below and not above") {
  CHECK(ulp_exponent(Format::fp64, 0) == -52);
  CHECK(ulp_exponent(Format::fp64, -1022) == -1074);
  CHECK(ulp_exponent(Format::fp64, -1023) == -1074);
  CHECK(ulp_exponent(Format::fp64, -5000) == -1074);
  CHECK(ulp_exponent(Format::fp16, -15) == -24);
  CHECK(ulp_exponent(Format::fp16, 20) == 10);  // 2^20 is beyond fp16's largest number
  CHECK(ulp_exponent(Format::fp32, 200) == 177);
}

TEST_CASE("the ordered keys of fp16 and bf16 ascend with the values, -0 before +0 and NaN last") {
  for (const Format format : {Format::fp16, Format::bf16}) {
    CAPTURE(info(format).name);
    const std::uint64_t infinity = infinity_of(format);
    std::uint64_t previous = negative(format, infinity);
    const auto step = [&](std::uint64_t bits) {
      CHECK(ordered_key(format, previous) == ordered_key(format, bits) - 1);
      previous = bits;
    };
    for (std::uint64_t magnitude = infinity; magnitude-- > 0;) step(negative(format, magnitude));
    for (std::uint64_t magnitude = 0; magnitude <= infinity; ++magnitude) step(magnitude);
    CHECK(ordered_key(format, round_to_bits(format, std::nan(""))) > ordered_key(format, infinity));
  }
}

TEST_CASE("ordered keys of fp64 and fp32 compare as the values do") {
  const std::uint64_t seed = 32;
  CAPTURE(seed);
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  for (const Format format : {Format::fp64, Format::fp32})
    for (std::uint64_t i = 0; i < trials(5000); ++i) {
      const double x = any_finite(draw, format);
      const double y = chance(draw, 8) ? -x : any_finite(draw, format);
      const auto key = [&](double v) { return ordered_key(format, round_to_bits(format, v)); };
      CHECK((x < y) == (key(x) < key(y) && x != y));
      CHECK((key(x) == key(y)) == (bits_of(x) == bits_of(y)));
    }
}

TEST_CASE("the ulp distance counts steps and takes -0 and +0 as one number") {
  for (const FormatInfo& f : kFormats) {
    CAPTURE(f.name);
    const std::uint64_t largest = infinity_of(f.format) - 1;
    CHECK(ulp_distance(f.format, 0, negative(f.format, 0)) == 0);
    CHECK(ulp_distance(f.format, 1, negative(f.format, 0)) == 1);
    CHECK(ulp_distance(f.format, 1, negative(f.format, 1)) == 2);
    CHECK(ulp_distance(f.format, 5, 3) == 2);
    CHECK(ulp_distance(f.format, negative(f.format, 3), negative(f.format, 5)) == 2);
    CHECK(ulp_distance(f.format, largest, negative(f.format, largest)) == 2 * largest);  // in 64 bits without overflow
  }
}
