// Multisets of a given size, numbered: subsets of partial sums, with equal ones interchangeable.
#pragma once

#include <cstddef>
#include <cstdint>
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
  bool next(Multiset& set) const { return step(set) > 0; }

  std::uint64_t rank(const Multiset& set) const;

  /// Ranks, among those one smaller, of a set without one member of a group that it has. They are kept while it steps
  /// to the next ones: a step changes few groups, and adds 1 to the ranks of all others.
  class Parents {
   public:
    Parents(const Multisets& sets, const Multiset& set);

    /// Steps `set` to the next of the same size; false at the last.
    bool next(Multiset& set);

    std::uint64_t rank(std::size_t group) const { return ranks_[group]; }

    /// Groups of which the set has members, a bit each. Shape: at most 64 groups.
    std::uint64_t members() const { return members_; }

   private:
    void find_below(std::size_t end, const Multiset& set);

    const Multisets& sets_;
    std::vector<std::uint64_t> ranks_;
    std::vector<std::uint64_t> higher_;  ///< of each rank, what the groups above add to it
    std::uint64_t members_ = 0;
  };

  /// Rank, among those one larger, of the first that `set` with one member more can be; it rises with the rank of
  /// `set`.
  std::uint64_t first_child(const Multiset& set) const;

 private:
  // Steps to the next; returns how many of the first groups may have changed, 0 at the last.
  std::size_t step(Multiset& set) const;

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
