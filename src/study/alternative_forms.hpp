// The ways to do an operation, each in a fixed order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "orderlab/loop.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::study {

/// One way, with all its outputs in the result format.
struct FixedWay {
  std::string name;
  std::string addition;
  Guarantee guarantee = Guarantee::any_device;
  std::uint64_t passes = 1;  ///< over the contributions, where those of an output stand together
  AdditionCount count;
  Terms results;
};

/// Calls `visit` with each way that takes the inputs of each output in an order of its own: none of what the operation
/// itself does.
void visit_fixed_ways(const LoweredOperation& operation, const Loop& loop,
                      const std::function<void(FixedWay way)>& visit);

/// Additions of the operation as it runs.
AdditionCount count_as_it_runs(const LoweredOperation& operation);

/// Passes over the contributions that bring those of an output together: of a radix sort by index, eight bits at a
/// time; 0 where they stand together.
std::uint64_t sorting_passes(const LoweredOperation& operation);

}  // namespace orderlab::study
