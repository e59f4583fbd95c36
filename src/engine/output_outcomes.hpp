// Every result that single outputs of an operation can have, with its exact probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "operation/row_outcomes.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

/// Results of one output, ascending by value, -0 before +0, NaN last, where all arrival orders of the units are equally
/// likely.
using OutputResults = std::vector<OutputResult>;

/// Probability of other bits than these.
double probability_of_other(std::span<const OutputResult> results, std::uint64_t bits);

/// Finds them, output by output. One for each thread.
class OutputOutcomeFinder {
 public:
  /// `sums` must outlive it.
  explicit OutputOutcomeFinder(const OutputSums& sums, std::size_t states = RowOutcomeFinder::kMemory,
                               std::size_t sets = RowOutcomeFinder::kMemory);
  ~OutputOutcomeFinder();

  /// Why the orders cannot be enumerated; empty if they can, unless units are too many.
  std::string obstacle();

  /// Whether the results of output r were found; not where its units are too many, or where there is an obstacle.
  ///
  /// Shape: r is one of sums.varying().
  bool find(std::size_t r, OutputResults& results);

 private:
  bool find_in_turn(std::size_t r, OutputResults& results);
  bool find_by_order(std::size_t r, OutputResults& results);
  bool adds_by_order() const { return operation_.addition.tail != nullptr || !operation_.addition.arrives; }
  RecognizedSpace space_of(std::size_t r);
  void add_result(std::size_t r, double sum, double probability, OutputResults& results) const;

  const OutputSums& sums_;
  const LoweredOperation& operation_;
  std::size_t states_;
  RowOutcomeFinder rows_;
  RowOutcomes found_;
  std::shared_ptr<const Plan> plan_;  ///< for contributions that a tail adds
  TermBuffer buffer_;
};

}  // namespace orderlab
