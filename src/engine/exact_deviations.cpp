// Limits of deviations from the exact probabilities of all results.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab {

namespace {

struct Counted {
  double value;
  BigCount count;
};

// Whether that part of the whole is covered. Both are rounded to doubles: 18 of 20 are the 0.9 that was typed.
bool covers(const BigCount& part, const BigCount& whole, double coverage) { return ratio(part, whole) >= coverage; }

ExactDeviations from_references(const std::vector<Counted>& results, const BigCount& orders, const Yardstick& yardstick,
                                double coverage) {
  struct Measured {
    Deviation deviation;
    BigCount count;
  };
  std::vector<Measured> list;
  ExactDeviations exact;
  BigCount nonfinite = 0;
  for (const Counted& r : results) {
    list.push_back({yardstick.from_reference(r.value), r.count});
    if (!std::isfinite(list.back().deviation.absolute)) nonfinite += r.count;
    exact.largest_from_exact = std::max(exact.largest_from_exact, list.back().deviation.from_exact);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Measured& a, const Measured& b) { return a.deviation.absolute < b.deviation.absolute; });
  BigCount covered = 0;
  for (const Measured& m : list) {
    exact.limit = m.deviation;
    covered += m.count;
    if (covers(covered, orders, coverage)) break;
  }
  exact.largest = list.back().deviation;
  exact.nonfinite = ratio(nonfinite, orders);
  return exact;
}

// Pairs of independent runs, by their distance. Finite results, ascending.
class Pairs {
 public:
  Pairs(const std::vector<Counted>& results, const Yardstick& yardstick) : yardstick_(yardstick) {
    for (const Counted& r : results)
      if (std::isfinite(r.value)) finite_.push_back(r);
    for (const Counted& r : finite_) smallest_ = std::min(smallest_, std::fabs(r.value));
  }

  bool none() const { return finite_.empty(); }

  Deviation of(double absolute) const { return yardstick_.between_runs_above(smallest_, absolute); }

  double farthest() const { return distance(finite_.front().value, finite_.back().value); }

  // Number of ordered pairs at most `limit` apart.
  BigCount within(double limit) const {
    BigCount pairs = 0;
    BigCount window = 0;  // results behind i that are near enough
    std::size_t end = 0;
    for (std::size_t i = 0; i < finite_.size(); ++i) {
      for (; end < finite_.size() && distance(finite_[i].value, finite_[end].value) <= limit; ++end)
        window += finite_[end].count;
      const BigCount& own = finite_[i].count;
      window -= own;
      pairs += own * (window + window + own);
    }
    return pairs;
  }

  // The least distance that covers the fraction `coverage` of `all` pairs. Non-negative doubles sort as their bits.
  double least_within(double coverage, const BigCount& all) const {
    std::uint64_t low = 0;
    std::uint64_t high = std::bit_cast<std::uint64_t>(farthest());
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (covers(within(std::bit_cast<double>(middle)), all, coverage))
        high = middle;
      else
        low = middle + 1;
    }
    return std::bit_cast<double>(low);
  }

 private:
  double distance(double a, double b) const { return yardstick_.between(a, b).absolute; }

  const Yardstick& yardstick_;
  std::vector<Counted> finite_;
  double smallest_ = kInfinity;
};

ExactDeviations between_runs(const std::vector<Counted>& results, const BigCount& orders, const Yardstick& yardstick,
                             double coverage) {
  const Pairs pairs(results, yardstick);
  const BigCount all = orders * orders;
  const Deviation infinite{kInfinity, kInfinity, kInfinity, kInfinity};
  if (pairs.none()) return {infinite, infinite, 1, kInfinity};
  const BigCount finite = pairs.within(kInfinity);
  ExactDeviations exact;
  exact.nonfinite = ratio(all - finite, all);
  exact.limit = covers(finite, all, coverage) ? pairs.of(pairs.least_within(coverage, all)) : infinite;
  exact.largest = finite < all ? infinite : pairs.of(pairs.farthest());
  exact.largest_from_exact = exact.largest.absolute;
  return exact;
}

}  // namespace

ExactDeviations exact_deviations(const Enumeration& all, const Yardstick& yardstick, Against against, double coverage) {
  const FloatEnvironment environment;
  std::vector<Counted> counted;
  counted.reserve(all.results.size());
  for (std::size_t i = 0; i < all.results.size(); ++i)
    counted.push_back({all.results.values[i].value, all.results.orders[i]});
  return against == Against::exact ? from_references(counted, all.orders, yardstick, coverage)
                                   : between_runs(counted, all.orders, yardstick, coverage);
}

}  // namespace orderlab
