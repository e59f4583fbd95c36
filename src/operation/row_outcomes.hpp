// Every result that a row can have, over all orders in which its units arrive, with the probability of each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/contributions.hpp"
#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// What happens to each number of a row when it arrives: it is added to, or multiplied into, an accumulator of
/// `format`.
struct RowRule {
  Format format = Format::fp32;
  Combine combine = Combine::add;
  bool flush = false;      ///< fp32 additions flush subnormal operands and sums to zero, as acc=atomic does
  bool from_zero = false;  ///< a row without initial value is added to +0 (multiplied by 1), else starts as its number
};

/// The different results of one row, and how many of the orders of its units give each.
struct RowOutcomes {
  std::vector<std::uint64_t> bits;    ///< ascending: -0 before +0, NaN (canonical) last
  std::vector<std::uint64_t> orders;  ///< how many of `all_orders` give each result
  std::uint64_t all_orders = 0;       ///< k! for k units

  std::size_t size() const { return bits.size(); }

  /// Probability of result i where all orders of the units are equally likely.
  double probability(std::size_t i) const { return static_cast<double>(orders[i]) / static_cast<double>(all_orders); }
};

/// The outcome, of a list in the order of RowOutcomes::bits, whose value is nearest to `value`, as its place; the lower
/// one of two that are as near. A value that is an outcome is that one, by its sign where it is 0. Nothing where either
/// is NaN only.
std::optional<std::size_t> nearest_outcome(std::span<const std::uint64_t> bits, Format format, double value);

/// Finds the outcomes of rows, one after the other. Its memory is reused from row to row: one for each thread.
class RowOutcomeFinder {
 public:
  /// More have more orders than 64 bits count.
  static constexpr std::size_t kMostUnits = 20;
  static constexpr std::size_t kMemory = std::size_t{1} << 20;

  /// Rows that take more than `memory` states, of 16 bytes each, are not found, nor are those with more sets of units
  /// than `sets`, which takes no time.
  explicit RowOutcomeFinder(const RowRule& rule, std::size_t memory = kMemory, std::size_t sets = kMemory)
      : rule_(rule), memory_(memory), sets_(std::min(memory, sets)) {}

  /// The results of the numbers, of which those with the same unit, which are neighbours, are combined one after the
  /// other, over all orders of the units; of no numbers the initial value, or else +0 (or 1). False, with nothing in
  /// `outcomes`, for more than kMostUnits units or too many states.
  ///
  /// Shape: numbers of the rule's format, no products; units.size() == numbers.n. `initial` is a number of the format.
  /// Cost:  up to 3 units all orders. More: a state is a set of units (units of the same numbers are interchangeable)
  ///        and a partial result of theirs; one combination for each state and unit that is not in it.
  bool find(const TermView& numbers, std::span<const std::uint32_t> units, std::optional<double> initial,
            RowOutcomes& outcomes);

 private:
  /// A partial result, as its key (core/ordered_number.hpp), and how many orders give it.
  struct State {
    std::int64_t key;
    std::uint64_t orders;
  };

  template <class Row>
  bool find_in(const Row& row, RowOutcomes& outcomes);
  template <class Row>
  bool find_in_subsets(const Row& row, RowOutcomes& outcomes);
  void merge_candidates();

  RowRule rule_;
  std::size_t memory_;
  std::size_t sets_;
  std::vector<State> states_;       ///< states of one set after the other
  std::vector<std::size_t> begin_;  ///< where each set begins in states_
  std::vector<State> candidates_;   ///< states of the set at hand: sorted, and equal ones merged, by merge_candidates()
};

}  // namespace orderlab
