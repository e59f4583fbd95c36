// What the walks over sequences and over trees have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "engine/big_count.hpp"
#include "engine/enumeration_run.hpp"
#include "engine/term_groups.hpp"
#include "orderlab/enumerate.hpp"
#include "run/addition.hpp"

namespace orderlab {

/// A sum in the accumulate format, and how many orders give it.
struct Outcome {
  double value;
  BigCount count;
};

/// All outcomes, ascending; empty when stopped. The first walks m! sequences, the second (2m-3)!! trees or the m!
/// assignments of partial sums to the leaves of one tree.
std::optional<std::vector<Outcome>> walk_sequences(const OrderSpace& space, const TermGroups& groups, int threads,
                                                   EnumerationRun& run);
std::optional<std::vector<Outcome>> walk_splits(const OrderSpace& space, const TermGroups& groups, int threads,
                                                EnumerationRun& run);

/// The same of all assignments of the runs of a queue to workers, and of all orders in which these finish.
std::optional<std::vector<Outcome>> walk_queue(const OrderSpace& space, EnumerationRun& run);

template <class To, class From>
To widened(const From& count) {
  if constexpr (std::is_same_v<To, BigCount>)
    return big(count);
  else
    return static_cast<To>(count);
}

}  // namespace orderlab
