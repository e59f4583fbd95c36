#include "engine/term_groups.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

#include "core/arithmetic_guard.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

namespace {

std::int64_t key_of_double(double x) { return ordered_key(Format::fp64, bits_of(x)); }

// Equal for equal products alone: their fp64 rounding first, then what it may have lost as (high + low) * 2^exponent.
struct ProductKey {
  std::int64_t rounded;
  std::int64_t exponent = 0;
  std::int64_t high = 0;
  std::int64_t low = 0;

  explicit ProductKey(const Factors& factors) : rounded(key_of_double(factors.x * factors.y)) {
    if (factors.x == 0 || factors.y == 0 || !std::isfinite(factors.x) || !std::isfinite(factors.y)) return;
    int x_exponent = 0;
    int y_exponent = 0;
    int carry = 0;
    const double x = std::frexp(factors.x, &x_exponent);
    const double y = std::frexp(factors.y, &y_exponent);
    const double product = x * y;  // 1/4 to 1: nothing underflows, so that fma gives the rest
    high = key_of_double(std::frexp(product, &carry));
    low = key_of_double(std::ldexp(std::fma(x, y, -product), -carry));
    exponent = x_exponent + y_exponent + carry;
  }

  auto operator<=>(const ProductKey&) const = default;
};

// Puts the positions of `keys` into groups of equal ones, ascending.
template <class Key>
std::vector<std::vector<std::uint32_t>> grouped_positions(const std::vector<Key>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || keys[order[k]] != keys[order[k - 1]]) groups.emplace_back();
    groups.back().push_back(order[k]);
  }
  return groups;
}

}  // namespace

TermGroups::TermGroups(std::span<const double> numbers) {
  std::vector<std::int64_t> keys;
  for (const double x : numbers) keys.push_back(key_of_double(x));
  members = grouped_positions(keys);
  for (const auto& group : members) values.push_back(numbers[group.front()]);
}

TermGroups::TermGroups(std::span<const Factors> products) {
  std::vector<ProductKey> keys;
  for (const Factors& factors : products) keys.emplace_back(factors);
  members = grouped_positions(keys);
  for (const auto& group : members) values.push_back(products[group.front()].x * products[group.front()].y);
}

TermGroups TermGroups::of(const OrderSpace& space) {
  return space.products.empty() ? TermGroups(space.partial_sums) : TermGroups(space.products);
}

std::vector<std::uint32_t> TermGroups::multiplicities() const {
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back(multiplicity(i));
  return all;
}

double TermGroups::subset_count() const {
  double count = 1;
  for (std::size_t i = 0; i < size(); ++i) count *= multiplicity(i) + 1.0;
  return count;
}

double TermGroups::split_count() const {
  double count = 1;
  for (std::size_t i = 0; i < size(); ++i) count *= (multiplicity(i) + 1.0) * (multiplicity(i) + 2.0) / 2;
  return count;
}

}  // namespace orderlab
