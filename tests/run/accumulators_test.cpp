// Starts, flushing, compensated and fused accumulators on cases worked out by hand, and the fused operations against
// the exact reference.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/exact.hpp"
#include "run/arithmetic.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

double sum(const std::string& order, Format format, const std::vector<double>& x) {
  return value_of_bits(format, sum_bits_of(order, TypedTerms(format, x).view(), {format, format, format}));
}

double dot(const std::string& order, Format format, const std::vector<double>& x, const std::vector<double>& y) {
  return value_of_bits(format, sum_bits_of(order, TypedTerms(format, x, y).view(), {format, format, format}));
}

template <class T>
void check_fused(std::uint64_t seed) {
  constexpr Format format = kFormatOf<T>;
  CAPTURE(info(format).name);
  CAPTURE(seed);
  for (std::uint64_t i = 0; i < trials(20'000); ++i) {
    IndexGenerator draw(RandomStream(seed, 0, i), 0);
    const Format factors = kFormats[below(draw, 4)].format;
    const Trouble trouble = kTroubles[below(draw, 5)];
    double x = troublesome_number(draw, factors, trouble);
    double y = troublesome_number(draw, factors, chance(draw, 2) ? Trouble::ties : trouble);
    if (chance(draw, 4))
      x = std::ldexp(1.0, info(format).e_min - static_cast<int>(below(draw, 80)) + 20);  // near underflow
    T s = round_to<T>(troublesome_number(draw, format, kTroubles[below(draw, 5)]));
    if (chance(draw, 3)) s = round_to<T>(-x * y);                                // cancels nearly
    if (chance(draw, 6)) y = value_of_bits(format, 1) * 0.5 / (x == 0 ? 1 : x);  // half the smallest subnormal
    ExactSum exact;
    exact.add_product(x, y);
    CAPTURE(x);
    CAPTURE(y);
    const auto product = exact.value();
    if (product.finite() && !product.zero()) CHECK(bits_of(detail::round_product<T>(x, y)) == product.round_to(format));
    const auto addend = static_cast<double>(s);
    CAPTURE(addend);
    exact.add(addend);
    const auto all = exact.value();
    if (std::isfinite(addend) && all.finite() && !all.zero())
      CHECK(bits_of(detail::fused<T>(x, y, s)) == all.round_to(format));
    if (all.finite() && all.zero()) CHECK(static_cast<double>(detail::fused<T>(x, y, s)) == 0);
    if (std::isinf(addend) && std::isfinite(x) && std::isfinite(y))
      CHECK(bits_of(static_cast<double>(detail::fused<T>(x, y, s))) == bits_of(addend));
  }
}

}  // namespace

TEST_CASE("a sum of negative zeros is -0.0, unless something starts from +0.0") {
  for (const FormatInfo& f : kFormats)
    for (const std::size_t n : {1u, 2u, 33u}) {
      CAPTURE(f.name);
      CAPTURE(n);
      const std::vector<double> zeros(n, -0.0);
      for (const std::string order : {"seq", "pairwise", "halving(64)", "adjacent(64)", "strided(2) | seq",
                                      "chunks(3) | seq", "seq(from=first)", "tree", "shuffle | seq"}) {
        CAPTURE(order);
        CHECK(std::signbit(sum(order, f.format, zeros)));
      }
      for (const std::string order :
           {"seq(from=zero)", "numpy", "tile(1,1) | seq", "seq(acc=kahan)", "seq(acc=neumaier)", "seq(acc=atomic)",
            "strided(64,from=zero) | seq", "pairwise(from=zero)", "chunks(3,from=zero) | seq"}) {
        CAPTURE(order);
        CHECK(bits_of(sum(order, f.format, zeros)) == bits_of(0.0));
      }
      const std::vector<double> ones(n, 1);
      CHECK(std::signbit(dot("seq(acc=fma)", f.format, zeros, ones)));
      CHECK(bits_of(dot("seq(acc=fma,from=zero)", f.format, zeros, ones)) == bits_of(0.0));
    }
}

TEST_CASE("fp32 atomics flush subnormal operands and results to zeros of their sign") {
  const double least = 0x1p-126;
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {0x1p-127})) == bits_of(0.0));
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {-0x1p-149})) == bits_of(0.0));  // +0.0 + -0.0
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {0x1p-127, 0x1p-127})) == bits_of(0.0));
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {1.5 * least, -least})) == bits_of(0.0));
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {-1.5 * least, least})) == bits_of(-0.0));
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {least})) == bits_of(least));
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {least, 0x1p-149})) == bits_of(least));
  CHECK(bits_of(sum("seq(acc=atomic)", Format::fp32, {-least, -0.0})) == bits_of(-least));
}

TEST_CASE("nothing else flushes") {
  CHECK(bits_of(sum("seq(from=zero)", Format::fp32, {0x1p-127, 0x1p-127})) == bits_of(0x1p-126));
  CHECK(bits_of(sum("seq", Format::fp32, {-0x1p-149})) == bits_of(-0x1p-149));
  CHECK(bits_of(sum("seq(acc=kahan)", Format::fp32, {0x1p-149})) == bits_of(0x1p-149));
  for (const Format format : {Format::fp64, Format::fp16, Format::bf16})
    CHECK(bits_of(sum("seq(acc=atomic)", format, {info(format).smallest_subnormal()})) ==
          bits_of(info(format).smallest_subnormal()));
}

TEST_CASE("kahan gets back what plain additions lose, and loses what neumaier keeps") {
  CHECK(bits_of(sum("seq", Format::fp64, {1, 0x1p-53, 0x1p-53})) == bits_of(1.0));
  CHECK(bits_of(sum("seq(acc=kahan)", Format::fp64, {1, 0x1p-53, 0x1p-53})) == bits_of(1 + 0x1p-52));
  CHECK(bits_of(sum("seq(acc=neumaier)", Format::fp64, {1, 0x1p-53, 0x1p-53})) == bits_of(1 + 0x1p-52));
  // Neumaier's own example: Kahan's correction is lost when the next term is larger than the sum.
  CHECK(bits_of(sum("seq(acc=kahan)", Format::fp64, {1, 1e100, 1, -1e100})) == bits_of(0.0));
  CHECK(bits_of(sum("seq(acc=neumaier)", Format::fp64, {1, 1e100, 1, -1e100})) == bits_of(2.0));
  // The same in fp16, where 2048 is followed by 2050: every operation is rounded to the format.
  CHECK(bits_of(sum("seq", Format::fp16, {2048, 1, 1, 1, 1})) == bits_of(2048.0));
  CHECK(bits_of(sum("seq(acc=kahan)", Format::fp16, {2048, 1, 1, 1, 1})) == bits_of(2052.0));
  CHECK(bits_of(sum("seq(acc=neumaier)", Format::fp16, {2048, 1, 1, 1, 1})) == bits_of(2052.0));
}

TEST_CASE("a compensated group ends its correction with the group") {
  CHECK(bits_of(sum("seq(2,acc=kahan) | seq", Format::fp64, {1, 0x1p-53, 0x1p-53})) == bits_of(1.0));
}

TEST_CASE("a fused accumulator rounds once where others round twice") {
  const std::vector<double> x{-(1 + 0x1p-26), 1 + 0x1p-27};
  const std::vector<double> y{1, 1 + 0x1p-27};
  CHECK(bits_of(dot("seq", Format::fp64, x, y)) == bits_of(0.0));
  CHECK(bits_of(dot("seq(acc=fma)", Format::fp64, x, y)) == bits_of(0x1p-54));
  CHECK(bits_of(dot("seq(acc=fma,from=zero)", Format::fp64, x, y)) == bits_of(0x1p-54));
  CHECK(bits_of(dot("reverse | seq(acc=fma)", Format::fp64, x, y)) == bits_of(0.0));  // the square was rounded first
}

TEST_CASE("products and fused operations are the exact ones rounded once") {
  check_fused<double>(41);
  check_fused<float>(42);
  check_fused<Half>(43);
  check_fused<Bfloat16>(44);
}

TEST_CASE("the zero of a fused operation has the sign of IEEE 754") {
  for (const double x : {0.0, -0.0, 1.0, -1.0})
    for (const double y : {0.0, -0.0, 1.0})
      for (const double s : {0.0, -0.0, 1.0, -1.0}) {
        CAPTURE(x);
        CAPTURE(y);
        CAPTURE(s);
        const double expected = std::fma(x, y, s);
        CHECK(bits_of(static_cast<double>(detail::fused<float>(x, y, round_to<float>(s)))) == bits_of(expected));
        CHECK(bits_of(static_cast<double>(detail::fused<Half>(x, y, round_to<Half>(s)))) == bits_of(expected));
        CHECK(bits_of(static_cast<double>(detail::fused<Bfloat16>(x, y, round_to<Bfloat16>(s)))) == bits_of(expected));
      }
}

TEST_CASE("infinities and NaN follow IEEE 754 in every order") {
  for (const std::string& order : numeric_pipelines()) {
    if (order.find("kahan") != std::string::npos || order.find("neumaier") != std::string::npos)
      continue;  // inf - inf inside
    CAPTURE(order);
    for (const FormatInfo& f : kFormats) {
      CAPTURE(f.name);
      CHECK(bits_of(sum(order, f.format, {1, kInfinity, 2, 3, -4})) == bits_of(kInfinity));
      CHECK(std::isnan(sum(order, f.format, {1, kInfinity, 2, -kInfinity})));
      CHECK(std::isnan(sum(order, f.format, {1, std::nan(""), 2})));
    }
  }
}

TEST_CASE("the result is rounded once from the accumulate format") {
  // 2049 is a tie in fp16; 2049 + 2^-12 is above it, and a number of fp32.
  const TypedTerms terms(Format::fp16, {2048, 1, 0x1p-12});
  CHECK(sum_bits_of("seq", terms.view(), parse_formats("fp16:fp32:fp16")) == round_to_bits(Format::fp16, 2050));
  CHECK(sum_bits_of("seq", terms.view(), parse_formats("fp16")) == round_to_bits(Format::fp16, 2048));
  CHECK(sum_bits_of("seq", terms.view(), parse_formats("fp16:fp32")) == round_to_bits(Format::fp32, 2049 + 0x1p-12));
  const TypedTerms large(Format::fp16, {65504, 65504});
  CHECK(sum_bits_of("seq", large.view(), parse_formats("fp16:fp32:fp16")) == round_to_bits(Format::fp16, kInfinity));
  CHECK(sum_bits_of("seq", large.view(), parse_formats("fp16:fp32")) == round_to_bits(Format::fp32, 131008));
}
