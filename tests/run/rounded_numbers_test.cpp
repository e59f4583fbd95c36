// One rounding to a format, by way of fp64 and rounding to odd, against MPFR: random operands and, as those rarely meet
// a tie, operands that are made to: midpoints of the format, plus and minus something tiny.
#include "run/rounded_numbers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "order/trouble.hpp"
#include "run/mpfr_nodes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

bool same_number(double a, double b) { return bits_of(a) == bits_of(b); }

/// A finite number of the format and the one above it in magnitude, which may be 2^(e_max + 1) in place of infinity.
struct Neighbours {
  double low;
  double high;
};

Neighbours any_neighbours(IndexGenerator& draw, const FormatInfo& f) {
  const std::uint64_t infinity = round_to_bits(f.format, HUGE_VAL);  // bits of finite numbers are below it
  std::uint64_t magnitude = below(draw, infinity);
  if (chance(draw, 4))
    magnitude = below(draw, std::uint64_t{1} << f.precision);  // subnormal numbers, and the least normal
  if (chance(draw, 10)) magnitude = infinity - 1;              // the largest number
  const double low = value_of_bits(f.format, magnitude);
  const double high = magnitude + 1 == infinity ? std::ldexp(1.0, f.e_max + 1) : value_of_bits(f.format, magnitude + 1);
  return {low, high};
}

/// Below half the distance of any two numbers about x, and down to the least double.
double tiny(IndexGenerator& draw, double x, const FormatInfo& f) {
  const int least = std::max(x == 0 ? -1074 : std::ilogb(x) - f.precision - 1, -1074);
  return std::ldexp(1.0, -1074 + static_cast<int>(below(draw, static_cast<std::uint64_t>(least + 1074 + 1))));
}

}  // namespace

TEST_CASE("a midpoint plus or minus something tiny is rounded once") {
  for (const FormatInfo& f : kFormats) {
    if (f.format == Format::fp64) continue;
    CAPTURE(f.name);
    IndexGenerator draw(RandomStream(11, 0, static_cast<std::uint64_t>(f.format)), 0);
    std::uint64_t wrong = 0;
    std::uint64_t twice = 0;  // where rounding the rounded sum is wrong: the test would notice
    for (std::uint64_t i = 0; i < trials(50'000); ++i) {
      const Neighbours about = any_neighbours(draw, f);
      const double midpoint = about.low + (about.high - about.low) / 2;
      double a = with_random_sign(draw, chance(draw, 10) ? about.low : midpoint);
      double b = with_random_sign(draw, tiny(draw, midpoint, f));
      if (chance(draw, 8)) b = 0;
      if (chance(draw, 3)) {  // the midpoint itself as a sum
        a -= b * 0x1p20;
        b += b * 0x1p20;
      }
      const double right = MpfrNodes::sum(f.format, a, b);
      if (!same_number(added_in(f.format, a, b), right)) ++wrong;
      if (!same_number(rounded_to(f.format, a + b), right)) ++twice;
    }
    CHECK(wrong == 0);
    CHECK(twice > 0);
  }
}

TEST_CASE("numbers of any two formats are added to a third with one rounding") {
  IndexGenerator draw(RandomStream(12, 0, 0), 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < trials(200'000); ++i) {
    const FormatInfo& to = kFormats[below(draw, 4)];
    const auto operand = [&] {
      const Format from = kFormats[to.format == Format::fp64 ? below(draw, 4) : 1 + below(draw, 3)].format;
      return troublesome_number(draw, from, kTroubles[below(draw, std::size(kTroubles))]);
    };
    const double a = operand();
    const double b = operand();
    if (!std::isnan(a + b) && !same_number(added_in(to.format, a, b), MpfrNodes::sum(to.format, a, b))) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("fp64 operands are added in narrower formats with one rounding where their sum does not overflow") {
  IndexGenerator draw(RandomStream(13, 0, 0), 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < trials(50'000); ++i) {
    const FormatInfo& to = kFormats[1 + below(draw, 3)];
    const double a = any_finite(draw, Format::fp64) / 4;
    const double b = chance(draw, 2) ? any_finite(draw, Format::fp64) / 4 : -a * (1 + 0x1p-52);
    if (!same_number(added_in(to.format, a, b), MpfrNodes::sum(to.format, a, b))) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a sum of bf16 numbers that fp32 takes for a tie of fp16 is no tie") {
  CHECK(same_number(added_in(Format::fp16, 0x1p-25, 0x1p-60), 0x1p-24));
  CHECK(same_number(added_in(Format::fp16, -0x1p-25, -0x1p-60), -0x1p-24));
  CHECK(same_number(added_in(Format::fp16, 0x1p-25, 0.0), 0.0));
  CHECK(same_number(added_in(Format::fp16, 0x1p-25, -0x1p-60), 0.0));
  CHECK(same_number(added_in(Format::fp16, -0x1p-25, 0x1p-60), -0.0));
}

TEST_CASE("what overflows, what vanishes, and what is not finite") {
  const double inf = HUGE_VAL;
  CHECK(same_number(added_in(Format::fp16, 65504, 16), inf));  // a tie between 65504 and 65536: to even
  CHECK(same_number(added_in(Format::fp16, 65504, 16 - 0x1p-20), 65504));
  CHECK(same_number(added_in(Format::bf16, -0x1.fep127, -0x1p119), -inf));
  CHECK(same_number(added_in(Format::bf16, -0x1.fep127, -0x1.fffffep118), -0x1.fep127));
  CHECK(same_number(added_in(Format::fp32, inf, -1), inf));
  CHECK(std::isnan(added_in(Format::fp16, inf, -inf)));
  CHECK(same_number(added_in(Format::bf16, 1, -1), 0.0));
  CHECK(same_number(added_in(Format::bf16, -0.0, -0.0), -0.0));
}
