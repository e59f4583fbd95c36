// Multisets of a given size, numbered: subsets of partial sums, with equal ones interchangeable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orderlab {

/// How many of each group a multiset holds.
using Multiset = std::vector<std::uint32_t>;

/// All multisets with at most limit[i] members of group i. Those of one size are ranked in colexicographic order: by
/// the number of members of the last group, then of the one before, and so on; with limits 1 these are subsets.
class Multisets {
 public:
  /// Shape: the product of limit[i] + 1, the number of all of them, is below 2^62.
  explicit Multisets(std::vector<std::uint32_t> limits);

  std::size_t groups() const { return limits_.size(); }
  std::size_t total() const { return total_; }
  std::uint32_t limit(std::size_t group) const { return limits_[group]; }

  /// Number of multisets of `size`.
  std::uint64_t count(std::size_t size) const { return ways(groups(), size); }

  /// Number `rank` of `size`.
  Multiset at(std::size_t size, std::uint64_t rank) const;

  /// Steps to the next of the same size; false at the last.
  bool next(Multiset& set) const;

  std::uint64_t rank(const Multiset& set) const;

  /// Ranks, among those one smaller, of `set` without one member of each group it has: `parents[i]` for group i.
  void parents(const Multiset& set, std::span<std::uint64_t> parents) const;

  /// Rank, among those one larger, of the first that `set` with one member more can be; it rises with the rank of
  /// `set`.
  std::uint64_t first_child(const Multiset& set) const;

 private:
  // Multisets of `size` from the first `groups` groups.
  std::uint64_t ways(std::size_t groups, std::size_t size) const {
    return below(groups, size + 1) - below(groups, size);
  }
  // Multisets with fewer than `size` members.
  std::uint64_t below(std::size_t groups, std::size_t size) const { return below_[groups * (total_ + 2) + size]; }

  // Ranks that come before because group i has fewer than `own` members, `size` members being in groups 0 .. i.
  std::uint64_t skipped(std::size_t i, std::size_t size, std::uint32_t own) const {
    return below(i, size + 1) - below(i, size + 1 - own);
  }

  std::vector<std::uint32_t> limits_;
  std::size_t total_ = 0;
  std::vector<std::uint64_t> below_;
};

}  // namespace orderlab
