// Sets of partial sums, equal ones merged, numbered for a table: the count of each group, in mixed radix, so that the
// numbers of a subset and of its complement in a set add up to the number of the set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/term_groups.hpp"

namespace orderlab {

/// Sets are numbered 0 (empty) to size() - 1 (all); a subset has a lower number than its set.
class SubsetIndex {
 public:
  using Set = std::uint32_t;

  /// Shape: groups.subset_count() < 2^32.
  explicit SubsetIndex(const TermGroups& groups);

  std::size_t groups() const { return strides_.size(); }
  Set size() const { return size_; }
  Set all() const { return size_ - 1; }

  /// The set that holds one partial sum of group g.
  Set one(std::size_t g) const { return strides_[g]; }

  /// Partial sums of group g in the set.
  std::uint32_t held(Set set, std::size_t g) const { return set / strides_[g] % radices_[g]; }

  /// Partial sums in the set.
  std::uint32_t count(Set set) const;

  /// Fills `subsets` with all subsets, ascending: number i and number N-1-i make up the set.
  void subsets(Set set, std::vector<Set>& subsets) const;

  /// Fills `subsets` with the subsets that hold `k` partial sums, ascending.
  void subsets_of(Set set, std::uint32_t k, std::vector<Set>& subsets) const;

  /// The set with these numbers of members of each group.
  Set number(std::span<const std::uint32_t> members) const;

  /// For every set, by number: how many sets of lower number hold as many partial sums. It is the set's rank of
  /// multisets.hpp.
  std::vector<Set> ranks() const;

 private:
  std::vector<Set> strides_;
  std::vector<Set> radices_;
  Set size_ = 1;
};

}  // namespace orderlab
