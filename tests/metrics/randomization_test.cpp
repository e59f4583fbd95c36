// Randomization tests against all arrangements, counted one by one.
#include "metrics/randomization.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "metrics/best_of.hpp"

using namespace orderlab;

namespace {

using Numbers = std::vector<double>;

// Whole numbers, so that every sum is exact.
const Numbers kMany{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};

double counted_splits(const Numbers& a, const Numbers& b) {
  Numbers pool = a;
  pool.insert(pool.end(), b.begin(), b.end());
  const auto na = static_cast<double>(a.size());
  const auto nb = static_cast<double>(b.size());
  const auto distance = [&](unsigned mask) {
    double in = 0;
    double out = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) (mask >> i & 1U ? in : out) += pool[i];
    return std::fabs(in * nb - out * na);
  };
  const double observed = distance((1U << a.size()) - 1);
  double extreme = 0;
  double all = 0;
  for (unsigned mask = 0; mask < 1U << pool.size(); ++mask) {
    if (static_cast<std::size_t>(std::popcount(mask)) != a.size()) continue;
    ++all;
    if (distance(mask) >= observed) ++extreme;
  }
  return extreme / all;
}

}  // namespace

TEST_CASE("few splits are all counted, ties as extreme") {
  for (std::size_t k = 1; k < kMany.size(); ++k) {
    const auto middle = kMany.begin() + static_cast<std::ptrdiff_t>(k);
    const Numbers a(kMany.begin(), middle);
    const Numbers b(middle, kMany.end());
    CAPTURE(k);
    const RandomizationTest test = permutation_test(a, b, 1);
    CHECK(test.exact);
    CHECK(test.p == counted_splits(a, b));
  }
  const Numbers a{0.1, 0.2, 0.3};
  const Numbers b{1.1, 1.2, 1.3};
  CHECK(permutation_test(a, b, 1).p == 2.0 / 20);
  CHECK(permutation_test(a, a, 1).p == 1);
  CHECK(permutation_test(a, b, 1).arrangements == 20);
}

TEST_CASE("decimals that are equal but for their roundings are ties") {
  // Every split of three from {0.1, 0.2, 0.3, 0.1, 0.2, 0.3} with sum 0.6 counts as equal to it.
  const Numbers a{0.1, 0.2, 0.3};
  const Numbers b{0.3, 0.1, 0.2};
  CHECK(permutation_test(a, b, 1).p == 1);
  const Numbers d{0.1, 0.2, -0.3};
  CHECK(sign_flip_test(d, 1).p == 1);
}

TEST_CASE("all signs are counted") {
  const Numbers d{1, 2, -4, 3, 5};
  int extreme = 0;
  for (unsigned signs = 0; signs < 32; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) sum += signs >> i & 1U ? -d[i] : d[i];
    if (std::fabs(sum) >= 7) ++extreme;
  }
  const RandomizationTest test = sign_flip_test(d, 1);
  CHECK(test.exact);
  CHECK(test.arrangements == 32);
  CHECK(test.p == extreme / 32.0);
}

TEST_CASE("many arrangements are drawn: near the p of all, the same for a seed, never 0") {
  // 12 of 24 are 2704156 splits. Those with 8 ones or more, or 4 or fewer, of 12 ones: hypergeometric.
  Numbers a(12, 0);
  Numbers b(12, 0);
  for (std::size_t i = 0; i < 8; ++i) a[i] = 1;
  for (std::size_t i = 0; i < 4; ++i) b[i] = 1;
  const auto choose = [](double n, double k) {
    double c = 1;
    for (double i = 1; i <= k; ++i) c = c * (n - k + i) / i;
    return c;
  };
  double p = 0;
  for (double k = 8; k <= 12; ++k) p += 2 * choose(12, k) * choose(12, 12 - k) / choose(24, 12);
  const RandomizationTest drawn = permutation_test(a, b, 1);
  CHECK(!drawn.exact);
  CHECK(drawn.arrangements == 99'999);
  CHECK(std::fabs(drawn.p - p) <= 5 * std::sqrt(p * (1 - p) / 1e5));
  CHECK(permutation_test(a, b, 1).p == drawn.p);
  CHECK(permutation_test(a, b, 2).p != drawn.p);

  // 200 differences of 1: no drawn choice of signs is as large.
  const Numbers d(200, 1);
  CHECK(sign_flip_test(d, 1).p == 1e-5);
  Numbers few(64, 0);
  for (std::size_t i = 0; i < 4; ++i) few[16 * i] = 1;  // all four of one sign: 1/8, in every word of a block
  CHECK(std::fabs(sign_flip_test(few, 1).p - 0.125) <= 5 * std::sqrt(0.125 * 0.875 / 1e5));
}

TEST_CASE("the gain of the best of k is that of all choices of k") {
  const Numbers x{-2, 0.5, 1, 1, 3, 8};
  const double mean = 11.5 / 6;
  for (unsigned k = 1; k <= x.size(); ++k) {
    double sum = 0;
    double choices = 0;
    for (unsigned mask = 0; mask < 1U << x.size(); ++mask) {
      if (static_cast<unsigned>(std::popcount(mask)) != k) continue;
      sum += x[static_cast<std::size_t>(std::bit_width(mask)) - 1];
      ++choices;
    }
    CAPTURE(k);
    CHECK(std::fabs(best_of_gain(x, k) - (sum / choices - mean)) <= 1e-14);
  }
}
