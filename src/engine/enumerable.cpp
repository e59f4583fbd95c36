// When all orders are walked rather than sampled.
#include <algorithm>
#include <vector>

#include "orderlab/check.hpp"

namespace orderlab {

namespace {

// Most partial sums, all different, that enumerate() does in seconds: O(m 2^m), O(3^m) and O(m 2^m) lists of results.
constexpr int most_partial_sums(OrderFamily family) {
  switch (family) {
    case OrderFamily::sequences:
      return 20;
    case OrderFamily::trees:
      return 15;
    case OrderFamily::assignments:
      return 16;
    default:
      return 1;
  }
}

}  // namespace

bool quickly_enumerable(const OrderSpace& space) {
  if (space.family == OrderFamily::fixed) return true;
  const int most = most_partial_sums(space.family);
  const double limit = most * static_cast<double>(std::uint64_t{1} << most);
  const auto m = static_cast<double>(space.partial_sums.size());
  if (m * (m + 1) > limit) return false;  // even if all were equal
  // Equal ones collapse: a value that occurs c times is in a subset 0 to c times.
  std::vector<std::uint64_t> bits;
  for (const double x : space.partial_sums) bits.push_back(round_to_bits(Format::fp64, x));
  std::sort(bits.begin(), bits.end());
  double subsets = 1;
  for (std::size_t i = 0; i < bits.size() && m * subsets <= limit;) {
    const std::size_t first = i;
    while (i < bits.size() && bits[i] == bits[first]) ++i;
    subsets *= static_cast<double>(i - first + 1);
  }
  return m * subsets <= limit;
}

Enumeration enumerate_fixed(const Evaluator& evaluator) {
  const Evaluation sum = evaluator.evaluate(0, *evaluator.make_scratch());
  Enumeration all;
  all.orders = "1";
  all.results.push_back({sum.bits, sum.value, "1", 1.0});
  return all;
}

}  // namespace orderlab
