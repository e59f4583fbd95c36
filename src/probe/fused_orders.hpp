// Orders that add products in fused steps, one for each unit of the table and for steps with the parameters that were
// read, and what each gives.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orderlab/fused.hpp"
#include "orderlab/fused_probe.hpp"

namespace orderlab {

struct FusedOrder {
  FusedUnit unit;
  bool of_table = false;
  std::size_t run = 0;  ///< as FusedReading has it
  bool last_first = false;
  std::string text = {};  ///< as --order takes it; empty where no order says it
};

/// Units of the table with these factors and sums, and then steps as they were read; where a parameter could not be,
/// all that it may be.
std::vector<FusedOrder> fused_orders(const FusedReading& reading, Format factors);

/// What the order gives for one or more products, in the order of the steps.
double sum_of(const FusedOrder& order, Format sums, std::span<const Factors> products);

}  // namespace orderlab
