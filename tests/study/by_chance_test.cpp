#include "study/by_chance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "study/any_order_results.hpp"

using namespace orderlab;
using study::by_chance;
using study::ByChance;
using study::SumOfOrders;

namespace {

// Sums in steps of fp32 numbers at 1.
double at(double steps) { return 1 + steps * 0x1p-23; }

study::AnyOrderResults results_of(const std::vector<double>& terms, const char* formats, study::Input& input) {
  input = study::given_input(terms, parse_formats(formats));
  return study::AnyOrderResults(input);
}

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

TEST_CASE("what no order gives is outside its errors, or not the one sum of all") {
  study::Input input;
  const auto whole = results_of({1, 2, 3}, "fp64", input);
  CHECK(whole.one());
  CHECK(whole.may_be(6, 6));
  CHECK_FALSE(whole.may_be(10, 10));
  CHECK_FALSE(whole.may_be(0x1.8000000000001p2, 0x1.8000000000001p2));
  CHECK(whole.may_be(5.5, 6.5));  // printed to one digit

  study::Input rounded;
  const auto tenths = results_of({0.1, 0.2, 0.3}, "fp32", rounded);
  CHECK_FALSE(tenths.one());
  CHECK(tenths.may_be(0.6f, 0.6f));
  CHECK(tenths.may_be(0.6f + 0x1p-24, 0.6f + 0x1p-24));
  CHECK_FALSE(tenths.may_be(0.61, 0.61));
  const double inf = std::numeric_limits<double>::infinity();
  CHECK_FALSE(tenths.may_be(inf, inf));

  study::Input large;
  CHECK(results_of({3e38, 3e38, -3e38}, "fp32", large).may_be(inf, inf));  // some order overflows
  study::Input infinite;
  const auto with_inf = results_of({1, inf}, "fp32", infinite);
  CHECK(with_inf.may_be(inf, inf));
  CHECK_FALSE(with_inf.may_be(1, 1));
  CHECK_FALSE(with_inf.may_be(-inf, -inf));
  study::Input narrow;
  CHECK(results_of({256, 1, 1}, "bf16", narrow).may_be(256, 256));  // 256 + 1 is rounded to 256 twice
  CHECK_FALSE(results_of({256, 1, 1}, "bf16", narrow).may_be(280, 280));
}
