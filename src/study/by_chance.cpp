#include "study/by_chance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "reference/lattice.hpp"

namespace orderlab::study {

namespace {

/// Distance of numbers of the format at x.
double step_at(Format format, double x) {
  const FormatInfo& f = info(format);
  const double least = f.underflow_unit();  // half of the least subnormal
  return x == 0 ? 2 * least : std::max(2 * least, std::ldexp(1.0, std::ilogb(x) - f.precision + 1));
}

/// Half of all numbers of a grid are odd multiples of its unit, so the median is at most one above the unit.
double cell_of(Format format, std::span<const SumOfOrders> sums, double at) {
  std::vector<int> exponents;
  for (const SumOfOrders& sum : sums)
    if (std::isfinite(sum.value) && sum.value != 0) exponents.push_back(Lattice::exponent_of(sum.value));
  if (exponents.empty()) return step_at(format, at);
  const auto middle = exponents.begin() + static_cast<std::ptrdiff_t>(exponents.size() / 2);
  std::nth_element(exponents.begin(), middle, exponents.end());
  return std::max(step_at(format, at), std::ldexp(1.0, *middle));
}

}  // namespace

ByChance by_chance(Format format, std::span<const SumOfOrders> sums, double low, double high) {
  const bool finite = std::isfinite(low) && std::isfinite(high);
  const auto inside = [&](double x) { return finite ? low <= x && x <= high : !std::isfinite(x); };
  ByChance all;
  for (const SumOfOrders& sum : sums) all.orders += static_cast<double>(sum.orders);
  all.any = 1;
  std::vector<std::pair<double, double>> others;  // distance in cells, orders
  const double cell = finite ? cell_of(format, sums, low) : 1;
  for (const SumOfOrders& sum : sums) {
    if (inside(sum.value) || !std::isfinite(sum.value)) continue;
    const double distance = (sum.value < low ? low - sum.value : sum.value - high) / cell;
    others.emplace_back(std::max(1.0, std::ceil(distance)), static_cast<double>(sum.orders));
  }
  if (others.empty() || !finite) return all;
  std::sort(others.begin(), others.end());
  const double width = 1 + std::floor((high - low) / cell);
  double enough = 0;
  for (const auto& [distance, orders] : others) enough += orders;
  enough = std::sqrt(enough);
  ByChance found;
  double orders_within = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const double cells = 2 * others[i].first;
    const bool short_of = orders_within < enough;
    orders_within += others[i].second;
    found.any = std::max(found.any, width * static_cast<double>(i + 1) / cells);
    if (short_of) found.orders = width * orders_within / cells;
  }
  return {std::min(found.orders, all.orders), std::min(found.any, all.any)};
}

}  // namespace orderlab::study
