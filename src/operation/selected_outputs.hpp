// Some outputs of an operation as an operation of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "orderlab/operation.hpp"

namespace orderlab {

/// The same operation with these outputs alone, in this order. Their units are the same, or `renumber`: those that are
/// left, in launch order. Null for scans, whose outputs share their additions.
///
/// Shape: `operation` must outlive it, as it has the terms. `raw` and the deterministic form are left out.
std::shared_ptr<const LoweredOperation> selected_outputs(const LoweredOperation& operation,
                                                         std::span<const std::uint32_t> outputs, bool renumber = false);

}  // namespace orderlab
