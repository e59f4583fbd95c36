// Every result that single outputs of an operation can have, with its exact probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "operation/row_outcomes.hpp"
#include "orderlab/order_space.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

/// Results of one output where all arrival orders of the units are equally likely.
struct OutputOutcomes {
  std::vector<std::uint64_t> bits;  ///< of the result format, ascending by value, -0 before +0, NaN last
  std::vector<double> probability;

  std::size_t size() const { return bits.size(); }

  /// Place of the result with these bits; size() where there is none.
  std::size_t place_of(std::uint64_t result) const;

  /// Probability of other bits than these.
  double probability_of_other(std::uint64_t result) const;

  /// Place of the reachable result that is nearest to the value, the lower of two; empty for NaN or no number.
  std::optional<std::size_t> nearest(Format format, double value) const;
};

/// Finds them, output by output. One for each thread.
class OutputOutcomeFinder {
 public:
  /// `sums` must outlive it.
  explicit OutputOutcomeFinder(const OutputSums& sums, std::size_t states = RowOutcomeFinder::kMemory);
  ~OutputOutcomeFinder();

  /// Why the orders cannot be enumerated; empty if they can, unless units are too many.
  std::string obstacle();

  /// Whether the results of output r were found; not where its units are too many, or where there is an obstacle.
  ///
  /// Shape: r is one of sums.varying().
  bool find(std::size_t r, OutputOutcomes& outcomes);

 private:
  bool find_in_turn(std::size_t r, OutputOutcomes& outcomes);
  bool find_by_order(std::size_t r, OutputOutcomes& outcomes);
  bool adds_by_order() const { return operation_.addition.tail != nullptr || !operation_.addition.arrives; }
  RecognizedSpace space_of(std::size_t r);
  void add_result(std::size_t r, double sum, double probability, OutputOutcomes& outcomes) const;

  const OutputSums& sums_;
  const LoweredOperation& operation_;
  std::size_t states_;
  RowOutcomeFinder rows_;
  RowOutcomes found_;
  std::shared_ptr<const Plan> plan_;  ///< of a row that an order adds
};

}  // namespace orderlab
