// How many times as far one set of samples moves as another of the same inputs, with a bootstrap interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "metrics/statistics.hpp"

namespace orderlab {

/// The errors of two orders (or arrivals) on one input.
struct SpreadPair {
  std::span<const Weighted> numerator;
  std::span<const Weighted> denominator;
};

struct SpreadRatio {
  double ratio;
  double low;
  double high;
  std::size_t inputs;     ///< inputs on which both orders move
  bool inputs_resampled;  ///< else samples were
};

/// Least number of inputs to resample inputs: the variation over inputs matters most. With fewer, samples are
/// resampled.
inline constexpr std::size_t kInputsToResample = 8;

inline constexpr std::uint64_t kBootstrapReplicates = 999;

/// Geometric mean over the inputs of sd(numerator) / sd(denominator), inputs left out where either does not move, and
/// the percentile interval of its bootstrap: replicates b = 0 .. kBootstrapReplicates-1 draw as many inputs (or, input
/// by input, as many samples of either) with replacement, from Philox with `seed`, stream kBootstrap, sample b.
///
/// Special: empty where no input is left.
/// Cost:    one word a draw.
std::optional<SpreadRatio> spread_ratio(std::span<const SpreadPair> pairs, std::uint64_t seed, double confidence);

}  // namespace orderlab
