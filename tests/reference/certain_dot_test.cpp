// Sums of a few products in twice the precision against exact sums: what is certain must be right.
#include "reference/certain_dot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "order/trouble.hpp"
#include "orderlab/exact.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::optional<double> certain(const std::vector<double>& x, const std::vector<double>& y) {
  return certain_dot(x.data(), y.data(), x.size());
}

double exactly_rounded(const std::vector<double>& x, const std::vector<double>& y) {
  return exact_sum(view_of(x.data(), x.size(), y.data())).to_double();
}

}  // namespace

TEST_CASE("a certain sum of products is the exact one, rounded once") {
  std::size_t tried = 0;
  std::size_t settled = 0;
  for (std::uint64_t seed = 0; seed < trials(3000); ++seed)
    for (const Trouble trouble : kTroubles) {
      const std::size_t n = 1 + seed % kMostCertainProducts;
      const std::vector<double> x = troublesome_numbers(seed, Format::fp64, trouble, n);
      std::vector<double> y = troublesome_numbers(seed + 7, Format::fp64, Trouble::near_one, n);
      if (seed % 3 == 0) y.assign(n, 1.0 + 0x1p-52);
      CAPTURE(seed);
      ++tried;
      const auto sum = certain(x, y);
      if (!sum) continue;
      ++settled;
      REQUIRE(bits_of(*sum) == bits_of(exactly_rounded(x, y)));
    }
  CHECK(settled * 4 > tried);
}

TEST_CASE("ties, and what is next to one, are not decided in twice the precision unless they are clear") {
  const double u = 0x1p-53;
  CHECK(!certain({1, u}, {1, 1}));                // a tie
  CHECK(!certain({1, u, 0x1p-200}, {1, 1, 1}));   // rounds up, by the last product alone
  CHECK(!certain({1, u, -0x1p-200}, {1, 1, 1}));  // rounds down
  CHECK(certain({1.5, u}, {1, 0.99}) == 1.5);
  CHECK(certain({1.5, u}, {1, 1.01}) == 1.5 + 2 * u);
  CHECK(certain({3, 5}, {7, 11}) == 76.0);
  CHECK(!certain({1e16, 1, -1e16}, {1, 1, 1}));
  CHECK(certain({0.1}, {0.1}) == 0.1 * 0.1);
  CHECK(!certain({1, -1}, {1, 1}));
  CHECK(!certain({0x1p-600}, {0x1.8p-470}));  // subnormal
  CHECK(!certain({1e300, 1}, {1e300, 1}));
  CHECK(!certain({1e300, -1e300}, {1e300, 1e300}));
  CHECK(!certain({std::nan(""), 1}, {1, 1}));
  CHECK(!certain({std::numeric_limits<double>::infinity()}, {1}));
}
