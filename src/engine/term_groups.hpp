// Equal numbers, or equal products, collapsed: what a set of them is, is how many of each it holds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orderlab/enumerate.hpp"

namespace orderlab {

/// Distinct numbers, ascending (-0 before +0, NaN last), equal meaning bit-identical.
struct TermGroups {
  std::vector<double> values;
  std::vector<std::vector<std::uint32_t>> members;  ///< positions of each in the list it came from, ascending

  explicit TermGroups(std::span<const double> numbers);

  /// Groups of products that are equal before rounding, even if their factors differ; -0 and +0 are different. By
  /// `values`, their fp64 roundings, ascending.
  explicit TermGroups(std::span<const Factors> products);

  /// Groups of the products that a space adds, or else of its partial sums.
  static TermGroups of(const OrderSpace& space);

  std::size_t size() const { return values.size(); }
  std::uint32_t multiplicity(std::size_t group) const { return static_cast<std::uint32_t>(members[group].size()); }
  std::vector<std::uint32_t> multiplicities() const;

  /// Number of subsets, and of pairs of a subset and a part of it, also where they are too many to be numbered.
  double subset_count() const;
  double split_count() const;
};

}  // namespace orderlab
