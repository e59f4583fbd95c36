// Randomization tests against all arrangements, counted one by one.
#include "metrics/randomization.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
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
  CHECK(sign_flip_test(d, Numbers(d.size(), 0), 1).p == 1);
}

TEST_CASE("all signs are counted") {
  const Numbers d{1, 2, -4, 3, 5};
  int extreme = 0;
  for (unsigned signs = 0; signs < 32; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) sum += signs >> i & 1U ? -d[i] : d[i];
    if (std::fabs(sum) >= 7) ++extreme;
  }
  const RandomizationTest test = sign_flip_test(d, Numbers(d.size(), 0), 1);
  CHECK(test.exact);
  CHECK(test.arrangements == 32);
  CHECK(test.p == extreme / 32.0);
}

namespace {

double choose(double n, double k) {
  double c = 1;
  for (double i = 1; i <= k; ++i) c = c * (n - k + i) / i;
  return c;
}

// `count` numbers that are no multiples of one unit, so that their sums have to be added up or drawn.
Numbers without_unit(std::size_t count) {
  Numbers x;
  for (std::size_t i = 0; i < count; ++i) x.push_back(std::sqrt(static_cast<double>(i) + 2));
  return x;
}

bool near_drawn(double drawn, double p, double draws) {
  return std::fabs(drawn - p) <= 5 * std::sqrt(p * (1 - p) / draws);
}

}  // namespace

TEST_CASE("equal pairs have no sign: 17 of 198 pairs that differ are counted exactly") {
  Numbers a(198, 1);
  Numbers b(198, 1);
  for (std::size_t i = 0; i < 17; ++i) (i < 13 ? b : a)[11 * i] = 0;  // 13 of one sign, 4 of the other
  double extreme = 0;
  for (double k = 0; k <= 4; ++k) extreme += 2 * choose(17, k);
  for (const std::uint64_t seed : {1U, 2U}) {
    const RandomizationTest test = sign_flip_test(a, b, seed);
    CHECK(test.exact);
    CHECK(test.unequal_pairs == 17);
    CHECK(test.arrangements == 131072);
    CHECK(std::fabs(test.p - extreme / 131072) <= 1e-12);  // 0.0490
    CHECK(drawing_error(test) == 0);
  }
  CHECK(sign_flip_test(a, a, 1).p == 1);
}

TEST_CASE("sums of whole numbers of a unit are counted, as adding up all arrangements does") {
  // 22 decimals in steps of 0.001.
  Numbers a;
  Numbers b;
  std::vector<int> d;
  for (int i = 0; i < 22; ++i) {
    const int one = 700 + i * i % 37;
    const int other = 690 + i * 5 % 23;
    a.push_back(one / 1000.0);
    b.push_back(other / 1000.0);
    d.push_back(one - other);
  }
  int observed = 0;
  for (const int x : d) observed += x;
  unsigned extreme = 0;
  for (unsigned signs = 0; signs < 1U << 22; ++signs) {
    int sum = 0;
    for (unsigned i = 0; i < 22; ++i) sum += (signs >> i & 1U) != 0 ? -d[i] : d[i];
    if (std::abs(sum) >= std::abs(observed)) ++extreme;
  }
  const RandomizationTest signs = sign_flip_test(a, b, 1);
  CHECK(signs.exact);
  CHECK(signs.p == extreme / std::ldexp(1.0, 22));

  const Numbers half(a.begin(), a.begin() + 11);
  const Numbers rest(a.begin() + 11, a.end());
  const RandomizationTest splits = permutation_test(half, rest, 1);
  CHECK(splits.exact);
  CHECK(splits.arrangements == choose(22, 11));
  const auto whole = [](Numbers x) {
    for (double& value : x) value = std::round(1000 * value);  // sums of the decimals themselves would be rounded
    return x;
  };
  CHECK(splits.p == counted_splits(whole(half), whole(rest)));
}

TEST_CASE("up to 40 differences without a unit are counted too, from the sums of both halves") {
  for (const std::size_t count : {1U, 2U, 3U, 21U}) {
    Numbers d = without_unit(count);
    for (std::size_t i = 0; i < count; i += 3) d[i] = -d[i];
    double observed = 0;
    for (const double x : d) observed += x;
    unsigned extreme = 0;
    for (unsigned signs = 0; signs < 1U << count; ++signs) {
      double sum = 0;
      for (unsigned i = 0; i < count; ++i) sum += (signs >> i & 1U) != 0 ? -d[i] : d[i];
      if (std::fabs(sum) >= std::fabs(observed) * (1 - 1e-12)) ++extreme;  // no other sums are as near
    }
    CAPTURE(count);
    const RandomizationTest test = sign_flip_test(d, Numbers(count, 0), 1);
    CHECK(test.exact);
    CHECK(test.p == extreme / std::ldexp(1.0, static_cast<int>(count)));
  }
  Numbers apart = without_unit(40);
  CHECK(sign_flip_test(apart, Numbers(40, 0), 1).p == std::ldexp(1.0, -39));  // all of one sign
  apart.push_back(0.1);
  CHECK(!sign_flip_test(apart, Numbers(41, 0), 1).exact);
}

TEST_CASE("of two values there is no limit: hypergeometric splits and binomial signs") {
  // 8 of 12 ones against 4 of 12: 8 or more, or 4 or fewer, of 12 ones.
  Numbers a(12, 0);
  Numbers b(12, 0);
  for (std::size_t i = 0; i < 8; ++i) a[i] = 1;
  for (std::size_t i = 0; i < 4; ++i) b[i] = 1;
  double p = 0;
  for (double k = 8; k <= 12; ++k) p += 2 * choose(12, k) * choose(12, 12 - k) / choose(24, 12);
  CHECK(std::fabs(permutation_test(a, b, 1).p - p) <= 1e-12);
  // The same hypergeometric tail among many zeros: 3 ones, all three in A, 1000 scores each.
  Numbers many(1000, 0.25);
  const Numbers none = many;
  for (std::size_t i = 0; i < 3; ++i) many[i] = 0.75;
  const RandomizationTest ones = permutation_test(many, none, 1);
  CHECK(ones.exact);
  CHECK(std::isinf(ones.arrangements));
  CHECK(std::fabs(ones.p - 2 * choose(1000, 3) / choose(2000, 3)) <= 1e-12);
  // 30,000 pairs that differ by one unit, one of which the other way: binomial, next to 0.
  Numbers up(30'000, 1);
  Numbers down(30'000, 0);
  CHECK(sign_flip_test(up, down, 1).p == 0);
  for (std::size_t i = 0; i < 15'000; ++i) std::swap(up[i], down[i]);
  CHECK(std::fabs(sign_flip_test(up, down, 1).p - 1) <= 1e-12);
}

TEST_CASE("other arrangements are drawn: near the p of all, the same for a seed, never 0") {
  const Numbers x = without_unit(44);
  const Numbers low(x.begin(), x.begin() + 22);
  const Numbers high(x.begin() + 22, x.end());
  const RandomizationTest apart = permutation_test(low, high, 1);
  CHECK(!apart.exact);
  CHECK(apart.arrangements == 99'999);
  CHECK(apart.p == 1e-5);

  // Uneven parts of every kind: few of many, a small share, nearly half. One number outweighs all others, so that its
  // part decides: it is in the smaller one with probability k / n.
  for (const auto& [n, k] : {std::pair{400U, 6U}, {400U, 40U}, {401U, 200U}, {130U, 65U}}) {
    Numbers pool(n, 0);
    for (std::size_t i = 0; i < n; ++i) pool[i] = std::sqrt(static_cast<double>(i)) * 1e-9;
    pool[k - 1] = 1;
    const Numbers a(pool.begin(), pool.begin() + k);
    const Numbers b(pool.begin() + k, pool.end());
    CAPTURE(n);
    CAPTURE(k);
    const RandomizationTest test = permutation_test(a, b, 1);
    CHECK(!test.exact);
    if (2 * k < n) CHECK(near_drawn(test.p, static_cast<double>(k) / n, 1e5));
    CHECK(permutation_test(a, b, 1).p == test.p);
  }

  const Numbers d = without_unit(200);
  CHECK(sign_flip_test(d, Numbers(200, 0), 1).p == 1e-5);
  // Four large differences among small ones: all four of one sign with probability 1/8.
  Numbers few = d;
  for (double& value : few) value *= 1e-17;  // less than what the sums are rounded by
  for (std::size_t i = 0; i < 4; ++i) few[16 * i] = 1;
  const RandomizationTest drawn = sign_flip_test(few, Numbers(200, 0), 1);
  CHECK(near_drawn(drawn.p, 0.125, 1e5));
  CHECK(std::fabs(drawing_error(drawn) - std::sqrt(drawn.p * (1 - drawn.p) / 99'999)) <= 1e-15);
  CHECK(sign_flip_test(few, Numbers(200, 0), 2).p != drawn.p);
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
