#include "engine/term_groups.hpp"

#include <algorithm>
#include <numeric>

#include "orderlab/format.hpp"
#include "orderlab/ulp.hpp"

namespace orderlab {

TermGroups::TermGroups(std::span<const double> numbers) {
  const auto key = [&](std::uint32_t i) { return ordered_key(Format::fp64, bits_of(numbers[i])); };
  std::vector<std::uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || key(order[k]) != key(order[k - 1])) {
      values.push_back(numbers[order[k]]);
      members.emplace_back();
    }
    members.back().push_back(order[k]);
  }
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
