// What no order of an output's numbers gives: proofs by all trees, by the lattice rule and by a bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "operation/exact_rows.hpp"
#include "orderlab/format.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

/// Every order and every grouping of an output's numbers: its contributions, or the inputs that they are sums of, and
/// the initial value where it is added. Each takes part once; every addition (product) is rounded once to the
/// accumulate format, or in a 16-bit one to fp32 instead, or to so wide a format that the exact sum is rounded once;
/// products of two inputs may be fused. The sum is divided where the operation divides, in the format that it was
/// accumulated in or the accumulate format, and rounded to the result format. Outputs that are made of a row's sum are
/// all that RowFinish::range makes of the sums within the bound. So thread blocks, warps and threads may arrive in any
/// order, and any of them may add up what they have before.
class EveryOrder {
 public:
  /// Outputs of at most so many numbers, which are no products, are judged by all trees.
  static constexpr std::size_t kMostOfTrees = 8;

  /// Both must outlive it.
  EveryOrder(const LoweredOperation& operation, const ExactRows& exact, Flushing flushing);

  /// Whether no order gives output r these bits of the result format. A zero has either sign.
  ///
  /// Proof: all trees up to kMostOfTrees numbers; else that no order rounds (reference/lattice.hpp), or a bound on
  ///        |result - exact|: (n - 1) u sum |x| of n numbers [JeannerodRump2013], gamma_n of products, and what other
  ///        roundings, underflow and flushing add. A result that is not finite is excluded where no order overflows.
  /// Cost:  O(1) where the bound excludes it, else O(n), or 3^n additions and more for few numbers.
  bool excludes(std::size_t r, std::uint64_t bits) const;

  /// The bound on |result - exact| of every order that does not overflow; infinite where none is derived.
  double bound(std::size_t r) const;

 private:
  std::size_t count(std::size_t r) const;
  bool products() const;
  bool initial_counts(std::size_t r) const;
  bool excluded_by_specials(std::size_t r, double value) const;
  bool excluded_by_bound(std::size_t r, double value) const;
  double bound_of_products(std::size_t r) const;

  /// Calls f(x, y) with every number of output r, the product x y, until it returns false.
  template <class F>
  void each_number(std::size_t r, F f) const;

  /// The sum of every order where none rounds.
  std::optional<double> only_sum(std::size_t r) const;

  /// Whether no sum of its row that some order gives makes this output.
  bool excluded_by_computation(std::size_t r, double value) const;
  bool excluded_by_sums(std::size_t r, double value) const;

  /// Whether the sum may give this result: divided where the operation divides, and rounded.
  bool finishes_as(std::size_t r, double sum, double value) const;

  template <class T>
  bool some_tree_gives(std::size_t r, double value) const;

  const LoweredOperation& operation_;
  const ExactRows& exact_;
  bool may_flush_;
  bool may_keep_;
  double rounding_;  ///< units of u that an addition may be off by

  /// Of outputs that are made of sums: the exact sums, and what every order gives of them.
  std::unique_ptr<const ExactRows> exact_sums_;
  std::unique_ptr<const EveryOrder> every_sum_;

  /// For a scan: how many outputs of each line, from its first on, no order changes.
  std::vector<std::size_t> exact_of_line_;
};

/// Whether some number of the operation, or some sum of such numbers, may be subnormal in fp32.
bool may_be_subnormal(const LoweredOperation& operation);

}  // namespace orderlab
