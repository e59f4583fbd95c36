// Counts without limit: factorials, numbers of trees, and ratios rounded once.
#include "engine/big_count.hpp"

#include <doctest/doctest.h>

#include "doubles.hpp"
#include "engine/result_lists.hpp"
#include "engine/walk.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/mpfr_oracle.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// MPFR rounds the quotient of two exact integers once to 53 bits, its range being without limit; ldexp in `ratio` may
/// round again below 2^-1022, as the conversion does here.
double ratio_by_mpfr(const BigCount& part, const BigCount& whole) {
  Mpfr a(static_cast<mpfr_prec_t>(part.bits() + 1));
  Mpfr b(static_cast<mpfr_prec_t>(whole.bits() + 1));
  Mpfr quotient(53);
  mpfr_set_str(a.get(), part.str().c_str(), 10, MPFR_RNDN);
  mpfr_set_str(b.get(), whole.str().c_str(), 10, MPFR_RNDN);
  mpfr_div(quotient.get(), a.get(), b.get(), MPFR_RNDN);
  return mpfr_get_d(quotient.get(), MPFR_RNDN);
}

BigCount random_count(IndexGenerator& draw, std::uint64_t words) {
  BigCount count = 0;
  for (std::uint64_t i = 0; i < words; ++i) count = (count << 64) + draw();
  return (count >> static_cast<unsigned>(below(draw, 64))) + 1;
}

}  // namespace

TEST_CASE("factorials and numbers of trees") {
  CHECK(factorial(0) == 1);
  CHECK(factorial(1) == 1);
  CHECK(factorial(20) == BigCount("2432902008176640000"));
  CHECK(factorial(30) == BigCount("265252859812191058636308480000000"));
  const std::uint64_t trees[] = {1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425};
  for (std::uint64_t m = 1; m <= 10; ++m) CHECK(tree_count(m) == trees[m - 1]);
  for (std::uint64_t m = 2; m < 50; ++m)  // (2m-2)! / (2^(m-1) (m-1)!)
    CHECK(BigCount((tree_count(m) * factorial(m - 1)) << static_cast<unsigned>(m - 1)) == factorial(2 * m - 2));
}

TEST_CASE("counts of every width become big ones and wider ones unchanged") {
  const Count128 large = (Count128{0x123456789abcdef0} << 64) | 0xfedcba9876543210;
  CHECK(big(large) == BigCount("0x123456789abcdef0fedcba9876543210"));
  CHECK(big(~Count128{0}) == (BigCount(1) << 128) - 1);
  CHECK(big(std::uint32_t{0xffffffff}) == BigCount("0xffffffff"));
  CHECK(widened<std::uint64_t>(std::uint32_t{0xffffffff}) == 0xffffffff);
  CHECK(widened<Count128>(~std::uint64_t{0}) == Count128{~std::uint64_t{0}});
  CHECK(widened<BigCount>(large) == big(large));
}

TEST_CASE("a ratio is rounded once") {
  IndexGenerator draw(RandomStream(4, 4, 4), 0);
  for (std::uint64_t i = 0; i < trials(3000); ++i) {
    BigCount part = random_count(draw, 1 + below(draw, 5));
    BigCount whole = random_count(draw, 1 + below(draw, 5));
    if (part > whole) std::swap(part, whole);
    CAPTURE(part.str());
    CAPTURE(whole.str());
    CHECK(bits(ratio(part, whole)) == bits(ratio_by_mpfr(part, whole)));
  }
}

TEST_CASE("ratios at and beside ties") {
  IndexGenerator draw(RandomStream(4, 4, 5), 0);
  for (std::uint64_t i = 0; i < trials(2000); ++i) {
    // (2 k + 1) / 2^54 with k of 53 bits lies between two doubles; a little more or less does not.
    const BigCount odd = 2 * BigCount((std::uint64_t{1} << 52) + (draw() >> 12)) + 1;
    const unsigned far = 54 + static_cast<unsigned>(below(draw, 200));
    const BigCount scale = BigCount(1) << far;
    const BigCount other = random_count(draw, 2);
    for (const int off : {-1, 0, 1}) {
      const BigCount part = odd * other * scale + (off + 1) - 1;
      const BigCount whole = (BigCount(1) << 54) * other * scale;
      CAPTURE(part.str());
      CHECK(bits(ratio(part, whole)) == bits(ratio_by_mpfr(part, whole)));
      if (off == 0) CHECK((bits(ratio(part, whole)) & 1) == 0);
    }
  }
}

TEST_CASE("ratios at the ends") {
  CHECK(bits(ratio(0, 7)) == bits(0.0));
  CHECK(bits(ratio(1, 1)) == bits(1.0));
  CHECK(bits(ratio(factorial(300), factorial(300))) == bits(1.0));
  CHECK(bits(ratio(factorial(300) - 1, factorial(300))) == bits(1.0));
  CHECK(bits(ratio(1, 3)) == bits(1.0 / 3));
  CHECK(bits(ratio(1, factorial(100))) == bits(ratio_by_mpfr(1, factorial(100))));
  CHECK(bits(ratio(1, BigCount(1) << 1022)) == bits(0x1p-1022));
  CHECK(bits(ratio(1, BigCount(1) << 1074)) == bits(0x1p-1074));
  CHECK(bits(ratio(5, BigCount(1) << 1074)) == bits(0x5p-1074));
  CHECK(bits(ratio(1, BigCount(1) << 1076)) == bits(0.0));
  CHECK(bits(ratio(1, factorial(1000))) == bits(0.0));
  IndexGenerator draw(RandomStream(4, 4, 6), 0);
  for (int i = 0; i < 200; ++i) {
    const BigCount part = random_count(draw, 1);
    const BigCount whole = random_count(draw, 2) << static_cast<unsigned>(800 + below(draw, 400));
    CHECK(bits(ratio(part, whole)) == bits(ratio_by_mpfr(part, whole)));
  }
}

TEST_CASE("the memory of lists has in it what long counts hold elsewhere") {
  constexpr unsigned kBits = 16000;
  constexpr std::size_t kLists = 100;
  Segment<std::int32_t, BigCount> segment;
  Tally<std::int32_t, BigCount> tally;
  for (std::size_t i = 0; i < kLists; ++i) {
    tally.begin(false, 0, 0, 1);
    tally.add(7, BigCount(1) << (kBits - 1));
    segment.append(tally, true);
  }
  CHECK(segment.bytes() >= kLists * kBits / 8);
  CHECK(heap_bytes(BigCount(1)) == 0);
  CHECK(heap_bytes(Count128{1} << 127) == 0);
}
