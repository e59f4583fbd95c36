// Error bounds beside the measurement, in fp64 rounded upward: D1 and P3 of one evaluation, D2 of a set. A bound that
// is not derived is empty, one that is infinite is infinity.
#pragma once

#include <cstdint>
#include <optional>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Allowances for conversions, underflow and flushing, which are added to every bound.
double allowance(const RunningError& error);

/// D1: |computed - exact| <= sum of u |s'| over all nodes, and the allowances. Source: [Higham1993].
std::optional<double> running_bound(const RunningError& error);

/// Probability with which the probabilistic bound holds: 1 - (delta + eta), delta = eta.
inline constexpr double kProbability = 0.99;

/// P3, which assumes roundings that behave as random (constants, stagnation and ties do not). Source:
/// [HallmanIpsen2023].
std::optional<double> probabilistic_bound(const RunningError& error, Format accumulate, std::uint64_t height,
                                          std::size_t n);

/// D2: gamma_h A + allowances, A >= sum |x_i|. Source: [Higham2002].
std::optional<double> gamma_bound(bool plain, Format accumulate, std::uint64_t height, double sum_abs, double extra);

}  // namespace orderlab
