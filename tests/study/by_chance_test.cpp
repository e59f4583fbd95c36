#include "study/by_chance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "study/any_order_results.hpp"

using namespace orderlab;
using study::ByChance;
using study::SumOfOrders;
using study::SumsByChance;

namespace {

ByChance by_chance(Format format, const std::vector<SumOfOrders>& sums, double low, double high) {
  return SumsByChance(format, sums).of(low, high);
}

// Sums in steps of fp32 numbers at 1.
double at(double steps) { return 1 + steps * 0x1p-23; }

/// Terms, and what their orders may give.
struct SomeTerms {
  study::Input input;
  study::AnyOrderResults results;

  SomeTerms(const std::vector<double>& terms, const char* formats)
      : input(study::given_input(terms, parse_formats(formats))), results(input) {}
};

}  // namespace

TEST_CASE("a sum among many is given by as many orders as sums near it are, its own left out") {
  std::vector<SumOfOrders> sums;
  for (int step = -20; step <= 20; ++step) sums.push_back({at(step), 30});
  const ByChance middle = by_chance(Format::fp32, sums, at(1), at(1));
  CHECK(middle.orders >= 30);  // exactly, but for the cells, which are at most two steps
  CHECK(middle.orders <= 60);
  CHECK(middle.any == 1);
  sums[21].orders = 500;  // those of the sum itself say nothing
  CHECK(by_chance(Format::fp32, sums, at(1), at(1)).orders == middle.orders);
}

TEST_CASE("a sum far from all others is hardly had by chance") {
  std::vector<SumOfOrders> sums{{at(5001), 1}};
  for (int step = -21; step <= 21; ++step) sums.push_back({at(step), 30});
  const ByChance far = by_chance(Format::fp32, sums, at(5001), at(5001));
  CHECK(far.any < 0.01);
  CHECK(far.orders < 0.3);
  sums.push_back({at(5003), 1});  // one that is much alike
  CHECK(by_chance(Format::fp32, sums, at(5001), at(5001)).any > 0.1);
}

TEST_CASE("few digits leave more to chance") {
  std::vector<SumOfOrders> sums{{at(5001), 1}};
  for (int step = -21; step <= 21; ++step) sums.push_back({at(step), 30});
  const ByChance exact = by_chance(Format::fp32, sums, at(5001), at(5001));
  const ByChance printed = by_chance(Format::fp32, sums, at(4901), at(5101));
  CHECK(printed.any > 50 * exact.any);
}

TEST_CASE("where nothing tells orders apart all agree by chance") {
  const ByChance one = by_chance(Format::fp32, std::vector<SumOfOrders>{{3, 200}}, 3, 3);
  CHECK(one.orders == 200);
  CHECK(one.any == 1);
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(by_chance(Format::fp32, std::vector<SumOfOrders>{{3, 200}, {inf, 5}}, inf, inf).any == 1);
}

TEST_CASE("sums near 0 are as far apart as the partial sums let them be") {
  // Multiples of 2^-20 near 2^-19, where fp32 numbers are 2^-42 apart.
  std::vector<SumOfOrders> sums;
  for (int i = -20; i <= 20; ++i) sums.push_back({i * 0x1p-20, 10});
  CHECK(by_chance(Format::fp32, sums, 0x3p-20, 0x3p-20).any == 1);
  CHECK(by_chance(Format::fp32, sums, 0x3p-20, 0x3p-20).orders >= 10);
}

TEST_CASE("sums that are equally near are taken together, in whatever order they come") {
  std::vector<SumOfOrders> sums{{at(-2), 50}, {at(2), 3}, {at(40), 7}, {at(-40), 1}};
  const ByChance found = by_chance(Format::fp32, sums, at(0), at(0));
  CHECK(found.orders == 53.0 / 2);  // cells of eight steps: both are in the first one
  CHECK(found.any == 1);
  std::reverse(sums.begin(), sums.end());
  CHECK(by_chance(Format::fp32, sums, at(0), at(0)).orders == found.orders);
}

TEST_CASE("what no order gives is outside its errors, or not the one sum of all") {
  const SomeTerms whole({1, 2, 3}, "fp64");
  CHECK(whole.results.one());
  CHECK(whole.results.may_be(6, 6));
  CHECK_FALSE(whole.results.may_be(10, 10));
  CHECK_FALSE(whole.results.may_be(0x1.8000000000001p2, 0x1.8000000000001p2));
  CHECK(whole.results.may_be(5.5, 6.5));  // printed to one digit

  const SomeTerms tenths({0.1, 0.2, 0.3}, "fp32");
  CHECK_FALSE(tenths.results.one());
  CHECK(tenths.results.may_be(0.6F, 0.6F));
  CHECK(tenths.results.may_be(0.6F + 0x1p-24F, 0.6F + 0x1p-24F));
  CHECK_FALSE(tenths.results.may_be(0.61, 0.61));
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  CHECK_FALSE(tenths.results.may_be(kInfinite, kInfinite));
  CHECK(SomeTerms({3e38, 3e38, -3e38}, "fp32").results.may_be(kInfinite, kInfinite));  // some order overflows

  const SomeTerms infinite({1, kInfinite}, "fp32");
  CHECK(infinite.results.may_be(kInfinite, kInfinite));
  CHECK_FALSE(infinite.results.may_be(1, 1));
  CHECK_FALSE(infinite.results.may_be(-kInfinite, -kInfinite));

  // A range that ends in infinity holds finite numbers too.
  CHECK(tenths.results.may_be(0.6F, kInfinite));
  CHECK_FALSE(tenths.results.may_be(0.7F, kInfinite));

  const SomeTerms narrow({256, 1, 1}, "bf16");
  CHECK(narrow.results.may_be(256, 256));  // 256 + 1 is rounded to 256 twice
  CHECK_FALSE(narrow.results.may_be(280, 280));
}
