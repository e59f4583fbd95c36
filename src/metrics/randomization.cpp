#include "metrics/randomization.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "metrics/moments.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 20;

/// Arrangements to draw, so that a test takes about 10^9 additions at most.
std::uint64_t arrangements_to_draw(std::size_t scores) {
  constexpr std::uint64_t kMost = 99'999;
  constexpr std::uint64_t kFewest = 999;
  constexpr std::uint64_t kAdditions = 1'000'000'000;
  return std::clamp(kAdditions / scores, kFewest, kMost);
}

/// Two sums of n numbers, in different orders, of equal exact value differ by at most 2 (n - 1) u sum|x|; n + 1 leaves
/// room for the subtraction that follows.
double rounding_of(std::span<const double> x) {
  double magnitude = 0;
  for (const double value : x) magnitude += std::fabs(value);
  return 2 * static_cast<double>(x.size() + 1) * 0x1p-53 * magnitude;
}

/// C(n, k), or kMostCounted + 1 where it is more than kMostCounted; 2 k <= n.
std::uint64_t splits_of(std::size_t n, std::size_t k) {
  std::uint64_t splits = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    splits = splits * (n - k + i) / i;  // below 2^20 * 2^32
    if (splits > kMostCounted) return kMostCounted + 1;
  }
  return splits;
}

/// Calls use(sum of the chosen) for every choice of k of x, in lexicographic order.
template <class Use>
void for_each_choice(std::span<const double> x, std::size_t k, Use use) {
  std::vector<std::size_t> chosen(k);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  for (;;) {
    double sum = 0;
    for (const std::size_t i : chosen) sum += x[i];
    use(sum);
    std::size_t last = k;
    while (last > 0 && chosen[last - 1] == x.size() - k + last - 1) --last;
    if (last == 0) return;
    ++chosen[last - 1];
    for (std::size_t i = last; i < k; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

RandomizationTest test_of_counts(std::uint64_t extremes, std::uint64_t all) {
  return {static_cast<double>(extremes) / static_cast<double>(all), all, true};
}

RandomizationTest test_of_draws(std::uint64_t extremes, std::uint64_t draws) {
  return {static_cast<double>(extremes + 1) / static_cast<double>(draws + 1), draws, false};
}

}  // namespace

RandomizationTest permutation_test(std::span<const double> a, std::span<const double> b, std::uint64_t seed) {
  if (a.size() > b.size()) std::swap(a, b);
  std::vector<double> pool(a.begin(), a.end());
  pool.insert(pool.end(), b.begin(), b.end());
  // About the mean of all, the difference of means is the sum of the smaller part times 1 / n_a + 1 / n_b.
  const double center = Moments(pool).mean;
  for (double& x : pool) x -= center;
  double total = 0;
  for (const double x : pool) total += x;
  const std::size_t k = a.size();
  const double expected = total * static_cast<double>(k) / static_cast<double>(pool.size());
  const double slack = rounding_of(pool);
  double observed = 0;
  for (std::size_t i = 0; i < k; ++i) observed += pool[i];
  const double least = std::fabs(observed - expected) - slack;
  const auto extreme = [&](double sum) { return std::fabs(sum - expected) >= least; };

  std::uint64_t extremes = 0;
  if (const std::uint64_t splits = splits_of(pool.size(), k); splits <= kMostCounted) {
    for_each_choice(pool, k, [&](double sum) {
      if (extreme(sum)) ++extremes;
    });
    return test_of_counts(extremes, splits);
  }
  const std::uint64_t draws = arrangements_to_draw(pool.size());
  for (std::uint64_t s = 0; s < draws; ++s) {
    WordReader words(RandomStream(seed, streams::kGoodnessOfFit, s));
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) {
      std::swap(pool[i], pool[i + words.below(static_cast<std::uint32_t>(pool.size() - i), i)]);
      sum += pool[i];
    }
    if (extreme(sum)) ++extremes;
  }
  return test_of_draws(extremes, draws);
}

RandomizationTest sign_flip_test(std::span<const double> d, std::uint64_t seed) {
  double observed = 0;
  for (const double x : d) observed += x;
  const double least = std::fabs(observed) - rounding_of(d);
  std::uint64_t extremes = 0;
  constexpr std::size_t kMostSigns = 20;
  if (d.size() <= kMostSigns) {
    const std::uint64_t all = std::uint64_t{1} << d.size();
    for (std::uint64_t signs = 0; signs < all; ++signs) {
      double sum = 0;
      for (std::size_t i = 0; i < d.size(); ++i) sum += (signs >> i & 1) != 0 ? -d[i] : d[i];
      if (std::fabs(sum) >= least) ++extremes;
    }
    return test_of_counts(extremes, all);
  }
  const std::uint64_t draws = arrangements_to_draw(d.size());
  constexpr std::size_t kBlockBits = 128;
  for (std::uint64_t s = 0; s < draws; ++s) {
    const RandomStream stream(seed, streams::kGoodnessOfFit, s);
    RandomStream::Block block{};
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (i % kBlockBits == 0) block = stream.block(i / kBlockBits);
      sum += (block[i % kBlockBits / 32] >> (i % 32) & 1) != 0 ? -d[i] : d[i];
    }
    if (std::fabs(sum) >= least) ++extremes;
  }
  return test_of_draws(extremes, draws);
}

}  // namespace orderlab
