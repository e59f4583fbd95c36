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

using Results = std::vector<Counted>;

// Finite results, ascending.
Results finite_of(const Results& all) {
  Results finite;
  for (const Counted& r : all)
    if (std::isfinite(r.value)) finite.push_back(r);
  return finite;
}

// Pairs of independent results, one of each list, by their distance.
class Pairs {
 public:
  Pairs(const Results& first, const Results& second, const Yardstick& yardstick)
      : yardstick_(yardstick), first_(finite_of(first)), second_(finite_of(second)) {
    for (const Results* list : {&first_, &second_})
      for (const Counted& r : *list) smallest_ = std::min(smallest_, std::fabs(r.value));
  }

  bool none() const { return first_.empty() || second_.empty(); }

  Deviation of(double absolute) const { return yardstick_.between_results_above(smallest_, absolute); }

  double farthest() const {
    return std::max(distance(first_.front().value, second_.back().value),
                    distance(first_.back().value, second_.front().value));
  }

  // Number of pairs at most `limit` apart. The window of results of the second list that are near enough moves upward.
  BigCount within(double limit) const {
    BigCount pairs = 0;
    BigCount window = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    for (const Counted& one : first_) {
      const auto near = [&](const Counted& other) { return distance(one.value, other.value) <= limit; };
      for (; end < second_.size() && (second_[end].value <= one.value || near(second_[end])); ++end)
        window += second_[end].count;
      for (; begin < end && second_[begin].value < one.value && !near(second_[begin]); ++begin)
        window -= second_[begin].count;
      pairs += one.count * window;
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
  Results first_;
  Results second_;
  double smallest_ = kInfinity;
};

// `all`: number of pairs, infinite results included.
ExactDeviations between_results(const Pairs& pairs, const BigCount& all, double coverage) {
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

Results counted(const Enumeration& all) {
  Results list;
  list.reserve(all.results.size());
  for (std::size_t i = 0; i < all.results.size(); ++i)
    list.push_back({all.results.values[i].value, all.results.orders[i]});
  return list;
}

}  // namespace

ExactDeviations exact_deviations(const Enumeration& all, const Yardstick& yardstick, Against against, double coverage,
                                 const Enumeration* other) {
  const FloatEnvironment environment;
  const Results results = counted(all);
  if (against == Against::exact) return from_references(results, all.orders, yardstick, coverage);
  const Enumeration& second = other != nullptr ? *other : all;
  return between_results(Pairs(results, counted(second), yardstick), all.orders * second.orders, coverage);
}

}  // namespace orderlab
