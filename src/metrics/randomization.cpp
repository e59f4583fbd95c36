#include "metrics/randomization.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "metrics/moments.hpp"
#include "metrics/random_subsets.hpp"
#include "metrics/whole_units.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 24;  // splits added up one by one
constexpr std::size_t kMostSigns = 40;                          // counted by two halves of 2^20 sums

// Limits of counting sums of whole numbers.
constexpr double kMostSteps = 4e8;
constexpr double kMostPlaces = 0x1p23;     // for numbers in memory
constexpr std::size_t kMostCounts = 1000;  // scores whose splits are counted by doubles, fewer than 2^1024

using Units = std::vector<std::int64_t>;

/// Arrangements to draw, so that a test takes about 10^9 additions at most.
std::uint64_t arrangements_to_draw(std::size_t scores) {
  constexpr std::uint64_t kMost = 99'999;
  constexpr std::uint64_t kFewest = 999;
  constexpr std::uint64_t kAdditions = 1'000'000'000;
  return std::clamp(kAdditions / scores, kFewest, kMost);
}

/// Two sums of n numbers, by 2 n additions at most, of equal exact value differ by at most 4 n u sum|x|; n + 1 leaves
/// room for the subtraction that follows.
double rounding_of(std::span<const double> x) {
  double magnitude = 0;
  for (const double value : x) magnitude += std::fabs(value);
  return 4 * static_cast<double>(x.size() + 1) * 0x1p-53 * magnitude;
}

/// C(n, k), 2 k <= n; exact below 2^53 / n.
double splits_of(std::size_t n, std::size_t k) {
  double splits = 1;
  for (std::size_t i = 1; i <= k; ++i) splits = splits * static_cast<double>(n - k + i) / static_cast<double>(i);
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

RandomizationTest test_of_counts(std::uint64_t extremes, double all) {
  return {static_cast<double>(extremes) / all, all, true};
}

RandomizationTest test_of_draws(std::uint64_t extremes, std::uint64_t draws) {
  const auto all = static_cast<double>(draws);
  return {(static_cast<double>(extremes) + 1) / (all + 1), all, false};
}

/// How many splits there are of each sum of the k: counts by dynamic programming, each number in or not.
std::vector<double> counts_of_sums(const Units& pool, std::size_t k, std::size_t greatest) {
  const std::size_t sums = greatest + 1;
  std::vector<double> counts((k + 1) * sums);  // row j: of choices of j
  counts[0] = 1;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const auto x = static_cast<std::size_t>(pool[i]);
    for (std::size_t j = std::min(i + 1, k); j > 0 && x < sums; --j) {
      double* const with = counts.data() + j * sums + x;
      const double* const without = counts.data() + (j - 1) * sums;
      for (std::size_t s = 0; s < sums - x; ++s) with[s] += without[s];
    }
  }
  return {counts.end() - static_cast<std::ptrdiff_t>(sums), counts.end()};
}

/// The probability of the extreme ones of the whole numbers from `least` to `most`, where ratio(s) is the chance of s +
/// 1 over that of s: weights from the most likely number on, which fall to both sides.
template <class Ratio, class Extreme>
double chance_by_ratios(double least, double mode, double most, Ratio ratio, Extreme extreme) {
  double all = 0;
  double extremes = 0;
  const auto see = [&](double s, double weight) {
    all += weight;
    if (extreme(s)) extremes += weight;
  };
  double weight = 1;
  for (double s = mode; s <= most; ++s) {
    see(s, weight);
    weight *= ratio(s);
  }
  weight = 1;
  for (double s = mode - 1; s >= least; --s) {
    weight /= ratio(s);
    see(s, weight);
  }
  return extremes / all;
}

/// The probability of a sum at least as far from its mean as that of the first k. Empty where it takes too long.
std::optional<double> counted_splits(Units pool, std::size_t k) {
  const std::int64_t least = *std::min_element(pool.begin(), pool.end());
  for (std::int64_t& x : pool) x -= least;
  divide_by_common_divisor(pool);
  const auto n = static_cast<double>(pool.size());
  const auto in = static_cast<double>(k);
  double total = 0;
  double observed = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    total += static_cast<double>(pool[i]);
    if (i < k) observed += static_cast<double>(pool[i]);
  }
  const auto extreme = [&, far = std::fabs(n * observed - in * total)](double sum) {
    return std::fabs(n * sum - in * total) >= far;
  };
  Units descending = pool;
  std::sort(descending.begin(), descending.end(), std::greater<>());
  double greatest = 0;
  for (std::size_t i = 0; i < k; ++i) greatest += static_cast<double>(descending[i]);
  const double places = (greatest + 1) * (in + 1);
  if (pool.size() > kMostCounts || places > kMostPlaces || n * places > kMostSteps) {
    if (descending.front() > 1) return std::nullopt;
    const double first = std::max(0.0, in + total - n);  // ones among k of n, of which `total` are: hypergeometric
    const double last = std::min(in, total);
    const auto ratio = [&](double s) { return (total - s) * (in - s) / ((s + 1) * (n - total - in + s + 1)); };
    return chance_by_ratios(first, std::clamp(std::floor((in + 1) * (total + 1) / (n + 2)), first, last), last, ratio,
                            extreme);
  }
  double p = 0;
  const std::vector<double> counts = counts_of_sums(pool, k, static_cast<std::size_t>(greatest));
  for (std::size_t s = 0; s < counts.size(); ++s)
    if (extreme(static_cast<double>(s))) p += counts[s];
  return std::min(1.0, p / splits_of(pool.size(), k));  // the sum is rounded
}

/// The probability of a sum of +-w at least as far from 0 as the observed one. Empty where it takes too long.
std::optional<double> counted_signs(Units differences) {
  divide_by_common_divisor(differences);
  double total = 0;
  double observed = 0;
  for (std::int64_t& d : differences) {
    observed += static_cast<double>(d);
    d = std::abs(d);
    total += static_cast<double>(d);
  }
  observed = std::fabs(observed);
  const auto extreme = [&](double negative) { return std::fabs(total - 2 * negative) >= observed; };
  const auto m = static_cast<double>(differences.size());
  std::sort(differences.begin(), differences.end());
  if (!differences.empty() && differences.back() == 1)  // binomial
    return chance_by_ratios(
        0, std::floor(m / 2), m, [&](double s) { return (m - s) / (s + 1); }, extreme);
  if (total > kMostPlaces || total * m > kMostSteps) return std::nullopt;
  std::vector<double> chance(static_cast<std::size_t>(total) + 1);  // for each sum of the differences taken as negative
  chance[0] = 1;
  std::vector<double> next(chance.size());
  std::size_t greatest = 0;
  for (const std::int64_t d : differences) {
    const auto w = static_cast<std::size_t>(d);
    greatest += w;
    for (std::size_t s = 0; s < w; ++s) next[s] = chance[s] / 2;
    for (std::size_t s = w; s <= greatest; ++s) next[s] = (chance[s] + chance[s - w]) / 2;
    chance.swap(next);
  }
  double p = 0;
  for (std::size_t s = 0; s < chance.size(); ++s)
    if (extreme(static_cast<double>(s))) p += chance[s];
  return std::min(1.0, p);  // the sum is rounded
}

/// The sums of all choices of signs, ascending.
std::vector<double> signed_sums(std::span<const double> d) {
  std::vector<double> sums{0};
  for (const double x : d) {
    const std::size_t half = sums.size();
    for (std::size_t i = 0; i < half; ++i) sums.push_back(sums[i] - x);
    for (std::size_t i = 0; i < half; ++i) sums[i] += x;
  }
  std::sort(sums.begin(), sums.end());
  return sums;
}

/// How many choices of signs give a sum of at least `least` in magnitude, by pairs of sums of both halves. Shape: not
/// empty.
std::uint64_t extreme_signs(std::span<const double> d, double least) {
  const auto all = std::uint64_t{1} << d.size();
  if (!(least > 0)) return all;
  const std::vector<double> ones = signed_sums(d.first(d.size() / 2));
  const std::vector<double> others = signed_sums(d.subspan(d.size() / 2));
  std::uint64_t reaching = 0;  // sums >= least; as many are <= -least
  auto first = others.end();   // from here on a sum with the other half reaches it, the more the greater that is
  for (const double one : ones) {
    while (first != others.begin() && one + *std::prev(first) >= least) --first;
    reaching += static_cast<std::uint64_t>(others.end() - first);
  }
  return 2 * reaching;
}

}  // namespace

RandomizationTest permutation_test(std::span<const double> a, std::span<const double> b, std::uint64_t seed) {
  if (a.size() > b.size()) std::swap(a, b);
  std::vector<double> pool(a.begin(), a.end());
  pool.insert(pool.end(), b.begin(), b.end());
  const std::size_t k = a.size();
  const double splits = splits_of(pool.size(), k);
  if (const auto units = whole_units(pool))
    if (const auto p = counted_splits(*units, k)) return {*p, splits, true};
  // About the mean of all, the difference of means is the sum of the smaller part times 1 / n_a + 1 / n_b.
  const double center = Moments(pool).mean;
  for (double& x : pool) x -= center;
  double total = 0;
  for (const double x : pool) total += x;
  const double expected = total * static_cast<double>(k) / static_cast<double>(pool.size());
  const double slack = rounding_of(pool);
  double observed = 0;
  for (std::size_t i = 0; i < k; ++i) observed += pool[i];
  const double least = std::fabs(observed - expected) - slack;
  std::uint64_t extremes = 0;
  const auto see = [&](double sum) {
    if (std::fabs(sum - expected) >= least) ++extremes;
  };
  if (splits <= static_cast<double>(kMostCounted)) {
    for_each_choice(pool, k, see);
    return test_of_counts(extremes, splits);
  }
  const std::uint64_t draws = arrangements_to_draw(pool.size());
  for (const double sum : random_subset_sums(pool, k, seed, draws)) see(sum);
  return test_of_draws(extremes, draws);
}

RandomizationTest sign_flip_test(std::span<const double> a, std::span<const double> b, std::uint64_t seed) {
  std::vector<double> scores(a.begin(), a.end());
  scores.insert(scores.end(), b.begin(), b.end());
  const auto units = whole_units(scores);
  std::vector<double> d;
  Units whole;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    d.push_back(a[i] - b[i]);
    if (units) whole.push_back((*units)[i] - (*units)[a.size() + i]);
  }
  const auto found = [&]() -> RandomizationTest {
    const double all = std::ldexp(1.0, static_cast<int>(std::min<std::size_t>(d.size(), 2000)));
    if (units)
      if (const auto p = counted_signs(whole)) return {*p, all, true};
    double total = 0;
    for (const double x : d) total += x;
    const double least = std::fabs(total) - rounding_of(d);
    if (d.size() <= kMostSigns) return test_of_counts(extreme_signs(d, least), all);
    const std::uint64_t draws = arrangements_to_draw(d.size());
    std::uint64_t extremes = 0;
    for (const double sum : random_subset_sums(d, seed, draws))
      if (std::fabs(total - 2 * sum) >= least) ++extremes;
    return test_of_draws(extremes, draws);
  };
  RandomizationTest test = found();
  test.unequal_pairs = d.size();
  return test;
}

double drawing_error(const RandomizationTest& test) {
  return test.exact ? 0 : std::sqrt(test.p * (1 - test.p) / test.arrangements);
}

}  // namespace orderlab
