// Stagnation: a running sum of terms of one sign has grown so large that each further term rounds away.
#pragma once

#include <cstddef>
#include <optional>

#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"

namespace orderlab {

/// Part of the exact sum that must be lost after the last change before a sum counts as stagnant: a sum that misses
/// only its last, small terms is just rounded.
inline constexpr double kLostByStagnation = 0.01;

/// Where the running sum of the last stage stopped growing.
struct Stagnation {
  double sum = 0;         ///< in the accumulate format; no later addition changes it
  std::size_t after = 0;  ///< partial sums added by then, at least 1
  std::size_t count = 0;  ///< partial sums that the last stage adds
};

/// `terms` are those of the evaluator. Empty unless the last stage adds all partial sums left to right without
/// compensation, they have one sign, the sum lacks kLostByStagnation of `exact`, and so much of it was still to come
/// after the last change. A random order must also arrange equal partial sums, so that every run adds the same numbers.
///
/// Method: running sums of numbers of one sign never turn back, so the first one that equals the last is found by
///   bisection over sums of the first k partial sums.
/// Cost:   at most log2(count) evaluations of shorter sums, only where so much is lost.
std::optional<Stagnation> find_stagnation(const Evaluator& evaluator, const TermView& terms, const ExactValue& exact);

}  // namespace orderlab
