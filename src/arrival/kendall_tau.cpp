// Kendall's rank correlation between arrival orders, from exact inversion counts.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {
namespace {

/// Merges two sorted neighbours, [first, middle) and [middle, last) of `from`, into the same places of `to`; returns
/// how many pairs were inverted.
std::uint64_t merge_counting(std::span<const std::uint32_t> from, std::span<std::uint32_t> to, std::size_t first,
                             std::size_t middle, std::size_t last) {
  std::uint64_t inversions = 0;
  std::size_t left = first;
  std::size_t right = middle;
  for (std::size_t k = first; k < last; ++k) {
    if (left < middle && (right == last || from[left] <= from[right])) {
      to[k] = from[left++];
    } else {
      to[k] = from[right++];
      inversions += middle - left;
    }
  }
  return inversions;
}

/// Sorts `values`; returns how many pairs were inverted. Source: [Knight1966].
std::uint64_t sort_counting(std::vector<std::uint32_t> values) {
  const std::size_t m = values.size();
  std::vector<std::uint32_t> merged(m);
  std::uint64_t inversions = 0;
  for (std::size_t width = 1; width < m; width *= 2) {
    for (std::size_t first = 0; first < m; first += 2 * width) {
      const std::size_t middle = std::min(first + width, m);
      inversions += merge_counting(values, merged, first, middle, std::min(middle + width, m));
    }
    values.swap(merged);
  }
  return inversions;
}

/// 1 - 4 inversions / (m (m - 1)), rounded where a count of pairs exceeds 2^53 and in the division.
double tau(std::vector<std::uint32_t> order) {
  const std::uint64_t m = order.size();
  if (m < 2) throw Error(ErrorKind::usage, "Kendall tau is about pairs: orders of 2 or more are wanted");
  if (m - 1 > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::usage, "Kendall tau is about orders of at most 2^32");
  const std::uint64_t pairs = m % 2 == 0 ? m / 2 * (m - 1) : (m - 1) / 2 * m;  // < 2^63
  const std::uint64_t inversions = sort_counting(std::move(order));
  const std::int64_t surplus = static_cast<std::int64_t>(pairs - inversions) - static_cast<std::int64_t>(inversions);
  return static_cast<double>(surplus) / static_cast<double>(pairs);
}

}  // namespace

double kendall_tau(std::span<const std::uint32_t> order) { return tau({order.begin(), order.end()}); }

double kendall_tau(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() != b.size()) throw Error(ErrorKind::usage, "Kendall tau compares orders of the same length");
  std::vector<std::uint32_t> rank_in_b(b.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (a[k] >= a.size() || b[k] >= b.size())
      throw Error(ErrorKind::usage, "Kendall tau compares permutations of 0 to m - 1");
    rank_in_b[b[k]] = static_cast<std::uint32_t>(k);
  }
  std::vector<std::uint32_t> ranks(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) ranks[k] = rank_in_b[a[k]];
  return tau(std::move(ranks));
}

}  // namespace orderlab
