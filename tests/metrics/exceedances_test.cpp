#include "metrics/exceedances.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

using namespace orderlab;

TEST_CASE("the probability of so many beyond the samples is that of all ways to choose who is given") {
  for (unsigned m = 1; m <= 5; ++m)
    for (unsigned n = 1; n <= 6; ++n)
      for (unsigned k = 0; k <= m; ++k) {
        unsigned ways = 0;
        unsigned beyond = 0;
        for (unsigned who = 0; who < 1U << (m + n); ++who) {
          if (std::popcount(who) != static_cast<int>(m)) continue;
          ++ways;
          const unsigned top = ((1U << k) - 1) << (m + n - k);
          if ((who & top) == top) ++beyond;
        }
        // k quotients and products, each rounded once, and the quotient here: (1 + 2^-53)^(2k + 1), k <= 5.
        const double expected = static_cast<double>(beyond) / ways;
        CHECK(std::fabs(exceedances_p(m, n, k) - expected) <= 12 * 0x1p-53 * expected);
      }
  CHECK(fewest_exceedances(5000, 100'000, 0.000125) == 3);
  CHECK(fewest_exceedances(2, 1, 0.1) == std::nullopt);  // even both: 1/3
}
