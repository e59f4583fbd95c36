// The option each= of stages that deal chunks of the partial sums to threads: stages that reduce a chunk before a
// thread adds what they leave, in turn, to its sum.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "orderlab/order.hpp"

namespace orderlab {

inline constexpr Parameter kEachParameter{
    .name = "each", .kind = ParameterKind::order, .default_text = "-", .keyword_only = true};

/// Consecutive chunks of the same size.
struct EqualChunks {
  std::size_t count;
  std::size_t size;
};

/// The steps of the stages for a chunk of m partial sums; none for m = 0. With `add_all`, what they leave is added in
/// turn.
Steps steps_of_each(const std::vector<StageCall>& each, std::size_t m, Format accumulate, bool add_all);

/// A step that does that in consecutive chunks, at least one, in the order given.
Step reduce_each(const std::vector<StageCall>& each, const std::vector<EqualChunks>& chunks, Format accumulate,
                 bool add_all);

/// Error(usage) unless the stages can reduce a chunk of m partial sums; `stage` has the option.
void check_each(const std::vector<StageCall>& each, std::size_t m, std::string_view stage);

}  // namespace orderlab
