// Kendall's rank correlation between arrival orders, from exact inversion counts.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {
namespace {

/// Whether `order` has each of 0 to m - 1 once.
bool is_permutation(std::span<const std::uint32_t> order) {
  std::vector<char> seen(order.size(), 0);
  for (const std::uint32_t i : order)
    if (i >= seen.size() || std::exchange(seen[i], 1) != 0) return false;
  return true;
}

constexpr int kCountedBits = 8;  // numbers of so few bits are counted in words, not sorted

/// The number of bits that are set. Without a flag for it compilers call a function.
std::uint64_t set_bits(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555;
  word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return (word * 0x0101010101010101) >> 56;
}

/// Inverted pairs of different numbers that are alike but for their last kCountedBits bits.
std::uint64_t inversions_of_last_bits(std::span<const std::uint32_t> values) {
  constexpr std::uint32_t kWords = (1U << kCountedBits) / 64;
  std::uint64_t seen[kWords] = {};  // bit b of word w: 64 w + b was there
  std::uint64_t counts = 0;         // counts of bits in each word, 16 bits each
  std::uint64_t inversions = 0;
  static_assert(16 * kWords <= 64);
  for (const std::uint32_t value : values) {
    const std::uint32_t word = value / 64 % kWords;
    const std::uint64_t one = std::uint64_t{1} << value % 64;
    const std::uint64_t larger_words = counts >> (16 * word) >> 16;
    inversions += set_bits(seen[word] & ~(one | (one - 1))) + ((larger_words * 0x0001000100010001) >> 48);
    seen[word] |= one;
    counts += std::uint64_t{1} << (16 * word);
  }
  return inversions;
}

/// Inverted pairs of a permutation of 0 to m - 1, which is sorted from the highest bit down: after a bit, numbers that
/// differ in lower bits only are side by side, at the places that they have in the end, in the order in which they
/// were. Each pair counts at the highest bit in which its numbers differ. No branch, as none could be predicted.
///
/// Source: [Knight1966], where a merge sort counts them.
std::uint64_t sort_counting(std::vector<std::uint32_t> values) {
  const std::size_t m = values.size();
  std::vector<std::uint32_t> sorted(m);
  std::uint64_t inversions = 0;
  for (int bit = static_cast<int>(std::bit_width(m - 1)); bit-- > kCountedBits;) {
    const std::size_t half = std::size_t{1} << bit;
    for (std::size_t first = 0; first < m; first += 2 * half) {
      stop_point();
      const std::size_t last = std::min(first + 2 * half, m);
      std::size_t ones = 0;
      for (std::size_t k = first; k < last; ++k) {
        const std::size_t one = (values[k] >> bit) & 1;
        const std::size_t place = k - ones;  // place of a number without the bit
        sorted[place + one * (first + half + ones - place)] = values[k];
        inversions += (one - 1) & ones;
        ones += one;
      }
    }
    values.swap(sorted);
  }
  constexpr std::size_t kSide = std::size_t{1} << kCountedBits;  // so many stand side by side
  for (std::size_t first = 0; first < m; first += kSide)
    inversions += inversions_of_last_bits(std::span(values).subspan(first, std::min(kSide, m - first)));
  return inversions;
}

/// 1 - 4 inversions / (m (m - 1)), rounded where a count of pairs exceeds 2^53 and in the division.
double tau(std::vector<std::uint32_t> order) {
  const std::uint64_t m = order.size();
  if (m < 2) throw Error(ErrorKind::usage, "Kendall tau is about pairs: orders of 2 or more are wanted");
  if (m - 1 > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::usage, "Kendall tau is about orders of at most 2^32");
  if (!is_permutation(order)) throw Error(ErrorKind::usage, "Kendall tau compares permutations of 0 to m - 1");
  const std::uint64_t pairs = m % 2 == 0 ? m / 2 * (m - 1) : (m - 1) / 2 * m;  // < 2^63
  const std::uint64_t inversions = sort_counting(std::move(order));
  const std::int64_t surplus = static_cast<std::int64_t>(pairs - inversions) - static_cast<std::int64_t>(inversions);
  return static_cast<double>(surplus) / static_cast<double>(pairs);
}

}  // namespace

double kendall_tau(std::span<const std::uint32_t> order) {
  const FloatEnvironment environment;
  return tau({order.begin(), order.end()});
}

double kendall_tau(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  const FloatEnvironment environment;
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
