// CUDA's 16-bit types: what their operators and functions give, compared with the core's formats and with rationals.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "orderlab/cuda_on_host.hpp"

namespace orderlab {
namespace {

template <class T>
std::uint16_t as_bits(double value) {
  return static_cast<std::uint16_t>(round_to_bits(kFormatOf<T>, value));
}

// Bit patterns about every boundary of the format, and some between.
std::vector<std::uint16_t> patterns() {
  std::vector<std::uint16_t> all;
  for (unsigned high = 0; high < 0x10000; high += 0x0400)
    for (const unsigned low : {0x0U, 0x1U, 0x2U, 0x3FFU, 0x155U}) all.push_back(static_cast<std::uint16_t>(high | low));
  return all;
}

template <class T>
void check_operators() {
  for (const std::uint16_t p : patterns())
    for (const std::uint16_t q : patterns()) {
      const T a = T::of_bits(p);
      const T b = T::of_bits(q);
      const double x = value_of_bits(kFormatOf<T>, p);
      const double y = value_of_bits(kFormatOf<T>, q);
      bool good = bits_of(a + b) == as_bits<T>(x + y) && bits_of(a - b) == as_bits<T>(x - y);
      good = good && bits_of(a * b) == as_bits<T>(x * y) && bits_of(a / b) == as_bits<T>(x / y);
      good = good && (a == b) == (x == y) && (a != b) == (x != y) && (a < b) == (x < y) && (a <= b) == (x <= y);
      good = good && (a > b) == (x > y) && (a >= b) == (x >= y) && (-a).bits == (p ^ 0x8000);
      good = good && __hne(a, b) == (x < y || x > y) && __hisnan(a) == std::isnan(x);
      CHECK_MESSAGE(good, x << " and " << y);
    }
}

TEST_CASE("operators and comparisons of 16-bit types round once, and are those of IEEE 754") {
  check_operators<__half>();
  check_operators<__nv_bfloat16>();
}

TEST_CASE("conversions are implicit, as CUDA's are") {
  const __half third = 1.0F / 3;  // to nearest
  const float wide = third;
  CHECK(wide == 0x1.554p-2F);
  const double wider = third;
  CHECK(wider == 0x1.554p-2);
  CHECK(__half2float(__float2half(65519.0F)) == 65504.0F);
  CHECK(std::isinf(__half2float(65520)));
  const int truncated = __half(-2.75F);
  CHECK(truncated == -2);
  CHECK(static_cast<unsigned char>(__half(300.0F)) == 255);
  CHECK(static_cast<unsigned>(__half(-1.0F)) == 0);
  CHECK(static_cast<int>(__half(std::nanf(""))) == 0);
  CHECK(static_cast<long long>(__half(std::nanf(""))) == std::numeric_limits<long long>::min());
  CHECK(static_cast<long long>(__nv_bfloat16(INFINITY)) == std::numeric_limits<long long>::max());
  CHECK(bool(__half(0x1p-24)));
  CHECK(!bool(__half(-0.0)));
  CHECK(__nv_bfloat16(0x8080000000000001ULL).bits == as_bits<__nv_bfloat16>(0x1.02p63));  // above a tie
  static_assert(std::is_convertible_v<__half, float> && std::is_convertible_v<float, __half>);
}

TEST_CASE("a 16-bit fma rounds once, also where the addend lies far below the product") {
  const __half one_and = 1 + 0x1p-10;
  CHECK(__hfma(one_and, one_and, __half(-1.0F)).bits == as_bits<__half>(0x1p-9 + 0x1p-20));
  CHECK((one_and * one_and - __half(1.0F)).bits == as_bits<__half>(0x1p-9));
  // A tie but for an addend that a double cannot hold beside the product.
  const __nv_bfloat16 a = 0x1.02p60;
  const __nv_bfloat16 b = 0x1.02p0;
  const __nv_bfloat16 tie = 0x1p52 * 0;
  CHECK(__hfma(a, b, tie).bits == as_bits<__nv_bfloat16>(0x1.0404p60));
  const __nv_bfloat16 c = 0x1.01p0 + 0x1p-7;
  CHECK(__hfma(__nv_bfloat16(0x1.8p100), c, __nv_bfloat16(0x1p-100)).bits ==
        as_bits<__nv_bfloat16>(std::nextafter(0x1.8p100 * static_cast<double>(static_cast<float>(c)), HUGE_VAL)));
  const __half2 pair = __hfma2(__halves2half2(2, 3), __float2half2_rn(4), __floats2half2_rn(1, -1));
  CHECK(__low2float(pair) == 9);
  CHECK(__high2float(pair) == 11);
}

TEST_CASE("pairs add each half, maxima leave NaN out") {
  const half2 sum = __hadd2(__halves2half2(1, 2), __half2half2(0.5F)) + __float2half2_rn(1);
  CHECK(__low2float(sum) == 2.5F);
  CHECK(__high2float(sum) == 3.5F);
  static_assert(sizeof(half2) == 4 && alignof(half2) == 4);
  const __half nan = std::nanf("");
  CHECK(__hmax(nan, __half(1)) == __half(1));
  CHECK(__hmin(__half(1), nan) == __half(1));
  CHECK(__hmax(__half(-0.0F), __half(0.0F)).bits == 0);
  CHECK(__hmin(__half(-0.0F), __half(0.0F)).bits == 0x8000);
  CHECK(__habs(__half(-2)) == __half(2));
  CHECK(hsqrt(__half(2)).bits == as_bits<__half>(std::sqrt(2.0)));
}

}  // namespace
}  // namespace orderlab
