#include "study/by_chance.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "orderlab/format.hpp"
#include "reference/lattice.hpp"

namespace orderlab::study {

namespace {

/// Distance of numbers of the format at x.
double step_at(Format format, double x) {
  return x == 0 ? info(format).smallest_subnormal() : std::ldexp(1.0, ulp_exponent(format, std::ilogb(x)));
}

/// Half of all numbers of a grid are odd multiples of its unit, so the median is at most one above the unit; 0 where
/// all are 0.
double unit_of(std::span<const SumOfOrders> sums) {
  std::vector<int> exponents;
  for (const SumOfOrders& sum : sums)
    if (sum.value != 0) exponents.push_back(Lattice::exponent_of(sum.value));
  if (exponents.empty()) return 0;
  const auto middle = exponents.begin() + static_cast<std::ptrdiff_t>(exponents.size() / 2);
  std::nth_element(exponents.begin(), middle, exponents.end());
  return std::ldexp(1.0, *middle);
}

double orders_of(std::span<const SumOfOrders> sums) {
  double orders = 0;
  for (const SumOfOrders& sum : sums) orders += static_cast<double>(sum.orders);
  return orders;
}

}  // namespace

SumsByChance::SumsByChance(Format format, std::vector<SumOfOrders> sums)
    : format_(format), finite_(std::move(sums)), orders_(orders_of(finite_)) {
  std::erase_if(finite_, [](const SumOfOrders& sum) { return !std::isfinite(sum.value); });
  std::sort(finite_.begin(), finite_.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  unit_ = unit_of(finite_);
}

ByChance SumsByChance::of(double low, double high) const {
  const ByChance all{orders_, 1};
  if (!std::isfinite(low) || !std::isfinite(high)) return all;
  auto above = std::upper_bound(finite_.begin(), finite_.end(), high,
                                [](double value, const SumOfOrders& sum) { return value < sum.value; });
  auto below = std::make_reverse_iterator(std::lower_bound(
      finite_.begin(), above, low, [](const SumOfOrders& sum, double value) { return sum.value < value; }));
  if (below == finite_.rend() && above == finite_.end()) return all;
  const double cell = std::max(step_at(format_, low), unit_);
  const double width = 1 + std::floor((high - low) / cell);
  const double enough = std::sqrt(orders_of({finite_.begin(), below.base()}) + orders_of({above, finite_.end()}));
  const auto cells_to = [&](double distance) { return std::max(1.0, std::ceil(distance / cell)); };
  ByChance found;
  double sums_within = 0;
  double orders_within = 0;
  std::vector<double> next;  // orders of the sums that are equally near
  while (below != finite_.rend() || above != finite_.end()) {
    double cells = std::numeric_limits<double>::infinity();
    if (below != finite_.rend()) cells = cells_to(low - below->value);
    if (above != finite_.end()) cells = std::min(cells, cells_to(above->value - high));
    next.clear();
    const auto take = [&](const SumOfOrders& sum) { next.push_back(static_cast<double>(sum.orders)); };
    for (; below != finite_.rend() && cells_to(low - below->value) <= cells; ++below) take(*below);
    for (; above != finite_.end() && cells_to(above->value - high) <= cells; ++above) take(*above);
    sums_within += static_cast<double>(next.size());
    found.any = std::max(found.any, width * sums_within / (2 * cells));
    if (orders_within >= enough) continue;
    std::sort(next.begin(), next.end());
    for (auto orders = next.begin(); orders != next.end() && orders_within < enough; ++orders) orders_within += *orders;
    found.orders = width * orders_within / (2 * cells);
  }
  return {std::min(found.orders, all.orders), std::min(found.any, all.any)};
}

}  // namespace orderlab::study
