// Limits of deviations from the exact probabilities of all results.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "orderlab/error.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Counted {
  double value;
  std::uint64_t count;
};

// Empty from 2^63 on.
std::optional<std::uint64_t> small_count(const std::string& digits) {
  std::uint64_t count = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (code != std::errc() || end != digits.data() + digits.size() || count > ~std::uint64_t{0} / 2) return std::nullopt;
  return count;
}

// The count of each result; of a single one it does not matter how many orders give it.
std::vector<Counted> counted(const Enumeration& results) {
  if (results.results.size() == 1) return {{results.results[0].value, 1}};
  std::vector<Counted> list;
  list.reserve(results.results.size());
  for (const ReachableResult& r : results.results) list.push_back({r.value, *small_count(r.count)});
  return list;
}

ExactDeviations from_references(const std::vector<Counted>& results, std::uint64_t orders, const Yardstick& yardstick,
                                double coverage) {
  struct Measured {
    Deviation deviation;
    std::uint64_t count;
  };
  std::vector<Measured> list;
  ExactDeviations exact;
  std::uint64_t nonfinite = 0;
  for (const Counted& r : results) {
    list.push_back({yardstick.from_reference(r.value), r.count});
    if (!std::isfinite(list.back().deviation.absolute)) nonfinite += r.count;
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Measured& a, const Measured& b) { return a.deviation.absolute < b.deviation.absolute; });
  const double needed = coverage * static_cast<double>(orders);
  std::uint64_t covered = 0;
  for (const Measured& m : list) {
    exact.limit = m.deviation;
    covered += m.count;
    if (static_cast<double>(covered) >= needed) break;
  }
  exact.largest = list.back().deviation;
  exact.nonfinite = static_cast<double>(nonfinite) / static_cast<double>(orders);
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

  // Number of ordered pairs at most `limit` apart; exact in one rounding while there are at most 2^53 orders.
  double within(double limit) const {
    ExactSum pairs;
    std::uint64_t window = 0;  // results behind i that are near enough
    std::size_t end = 0;
    for (std::size_t i = 0; i < finite_.size(); ++i) {
      for (; end < finite_.size() && distance(finite_[i].value, finite_[end].value) <= limit; ++end)
        window += finite_[end].count;
      const std::uint64_t own = finite_[i].count;
      pairs.add_product(static_cast<double>(own), static_cast<double>(2 * (window - own) + own));
      window -= own;
    }
    return pairs.value().to_double();
  }

  // The least distance within which so many pairs lie: non-negative doubles are ordered as their bit patterns are.
  double least_within(double pairs) const {
    std::uint64_t low = 0;
    std::uint64_t high = std::bit_cast<std::uint64_t>(farthest());
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (within(std::bit_cast<double>(middle)) >= pairs)
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

ExactDeviations between_runs(const std::vector<Counted>& results, std::uint64_t orders, const Yardstick& yardstick,
                             double coverage) {
  const Pairs pairs(results, yardstick);
  const double all = static_cast<double>(orders) * static_cast<double>(orders);
  const Deviation infinite{kInfinity, kInfinity, kInfinity};
  if (pairs.none()) return {infinite, infinite, 1};
  const double finite = pairs.within(kInfinity);
  ExactDeviations exact;
  exact.nonfinite = (all - finite) / all;
  exact.limit = finite < coverage * all ? infinite : pairs.of(pairs.least_within(coverage * all));
  exact.largest = finite < all ? infinite : pairs.of(pairs.farthest());
  return exact;
}

}  // namespace

bool has_exact_deviations(const Enumeration& results) {
  return results.results.size() == 1 || small_count(results.orders).has_value();
}

ExactDeviations exact_deviations(const Enumeration& results, const Yardstick& yardstick, Against against,
                                 double coverage) {
  if (!has_exact_deviations(results))
    throw Error(ErrorKind::unsupported, "exact limits: 2^63 orders or more are not counted; draw samples instead");
  const std::vector<Counted> list = counted(results);
  const std::uint64_t orders = list.size() == 1 ? 1 : *small_count(results.orders);
  return against == Against::exact ? from_references(list, orders, yardstick, coverage)
                                   : between_runs(list, orders, yardstick, coverage);
}

}  // namespace orderlab
