// The three kinds of spaces that extremes() walks, one file each.
#pragma once

#include <optional>

#include "engine/extremes.hpp"
#include "engine/term_groups.hpp"
#include "run/extended.hpp"

namespace orderlab {

/// Each gives bits and orders; empty when stopped. The space is in reach, its partial sums are finite.
std::optional<Extremes> extreme_sequences(const OrderSpace& space, const TermGroups& groups,
                                          const WalkOptions& options);
std::optional<Extremes> extreme_trees(const OrderSpace& space, const TermGroups& groups, const WalkOptions& options);
std::optional<Extremes> extreme_assignments(const OrderSpace& space, const TermGroups& groups,
                                            const WalkOptions& options);

/// Bytes and additions that each takes, computed in fp64.
struct ExtremesCost {
  double bytes = 0;
  double additions = 0;
};
ExtremesCost cost_of_assignments(const OrderSpace& space, const TermGroups& groups);

/// Whether a partial sum can overflow in some order: only then can infinities of both signs meet.
bool may_overflow(const OrderSpace& space);

/// Error(unsupported) for orders that add inf and -inf.
[[noreturn]] void refuse_nan();

/// The result of an order that ended with `sum`.
template <class T>
ExtremeOrder extreme_order(const OrderSpace& space, T sum) {
  ExtremeOrder extreme;
  extreme.bits = round_to_bits(space.formats.result, before_result(sum, space.formats.result));
  extreme.value = value_of_bits(space.formats.result, extreme.bits);
  return extreme;
}

}  // namespace orderlab
