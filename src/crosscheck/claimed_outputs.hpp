// The outputs of one run of a kernel with many, as the operation that it claims gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crosscheck/wrong_sum.hpp"
#include "orderlab/kernel.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/output_sums.hpp"

namespace orderlab {

/// The arrays that a kernel is run on, in one format.
struct SourceArrays {
  ArrayExtents extents;
  Terms source{Format::fp32, 1};
  std::optional<Terms> self = {};
  std::vector<std::int64_t> index = {};

  ArrayView view() const { return {extents, self ? self->view().x : nullptr, index}; }
};

/// "index_add of 17x3 into 5x3".
std::string text_of(const OutputsClaim& claim, const ArrayExtents& extents);

/// What arrived when, output by output.
struct OutputArrivals {
  std::vector<std::uint32_t> places = {};  ///< contributions of the operation's rows, each row as they were added
  std::string problem = {};                ///< why there are none
};

/// Contributions are numbered as the kernel does, p, and by their places in the rows of the operation.
class ClaimedOutputs {
 public:
  /// Error(usage) where the kernel and the operation disagree on whether an order is open, or the arrays do not fit.
  ClaimedOutputs(const OutputsClaim& claim, const SourceArrays& arrays);

  const LoweredOperation& operation() const { return sums_->operation(); }
  bool races() const { return claim_.unit != 0; }

  /// How the launch map of the operation differs from the kernel's: another unit for a contribution, a unit of several
  /// thread blocks, a thread that the grid has not. Empty: it does not.
  std::string map_problem(const LaunchShape& shape) const;

  /// All outputs, in bits, where no order is open.
  std::vector<std::uint64_t> fixed() const;

  /// All outputs of a scan, in bits, whose tiles from the second on look back this far, or why they cannot.
  struct Scanned {
    std::vector<std::uint64_t> outputs = {};
    std::string problem = {};
  };
  Scanned scanned(const LaunchShape& shape, std::span<const std::uint32_t> looked_back) const;
  bool looks_back() const { return claim_.looks_back; }

  /// The order in which threads of the grid did their atomics, each its contributions in turn.
  OutputArrivals arrivals_of(const LaunchShape& shape, std::span<const std::uint32_t> threads) const;

  /// An order in which the atomic of contribution p returned returned[p].
  OutputArrivals replayed(const LaunchShape& shape, std::span<const std::uint64_t> returned) const;

  /// All outputs for such an order.
  std::vector<std::uint64_t> added_as(const OutputArrivals& arrivals) const;

  /// One order of all units that explains the arrivals of every output, contributions of a unit in program order.
  std::optional<std::vector<std::uint32_t>> unit_order(const OutputArrivals& arrivals) const;

  /// All outputs as the operation adds them for units that arrive in this order.
  std::vector<std::uint64_t> arranged(std::span<const std::uint32_t> units) const;

  /// What output r adds: its first value, if it has one, and its contributions.
  Terms operands(std::size_t r) const;

  /// Why no order of the contributions of output r gives these bits; empty where one does, or, of many, may do so.
  std::string unreachable(std::size_t r, std::uint64_t bits) const;

  /// These bits as a result of output r that is looked at closer; `operands` is memory of its terms.
  WrongSum wrong_sum(std::size_t r, std::uint64_t bits, Terms& operands) const;

 private:
  double start(std::size_t r) const;

  OutputsClaim claim_;
  std::unique_ptr<const OutputSums> sums_;
  std::vector<std::uint32_t> output_;  ///< output that contribution p goes to
  std::vector<std::uint32_t> place_;   ///< place of contribution p
  std::vector<std::uint32_t> number_;  ///< p of the contribution at a place
};

}  // namespace orderlab
