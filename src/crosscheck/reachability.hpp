// Whether a sum that raced can come of the order that its kernel claims, where nothing tells which way it took.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crosscheck/verify.hpp"
#include "orderlab/evaluator.hpp"

namespace orderlab {

/// Sets verdict, p and mismatch of `runs`, whose computed sums are `bits` (NaN canonical), all of one order over the
/// same terms. `distinct` sums of the whole capture are judged like this: the Bonferroni correction.
/// Leaves them unchecked when stopped.
void judge_reachability(const Evaluator& evaluator, const TermView& terms, std::span<const std::uint64_t> bits,
                        std::uint64_t distinct, const VerifyOptions& options, std::span<VerifiedRun* const> runs);

}  // namespace orderlab
