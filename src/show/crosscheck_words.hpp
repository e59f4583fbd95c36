// The words of a cross-check.
#pragma once

#include <string>

#include "orderlab/crosscheck.hpp"

namespace orderlab {

/// "64 threads, items=2, grid=full".
std::string shape_text(const LaunchShape& shape);

/// What was seen in each launch shape of a kernel without a claim, a line each, or more where sizes differ.
std::string seen_orders_text(const CrossCheckRow& row);

/// Whether the kernel claims an order or an operation.
inline bool claims(const CrossCheckRow& row) { return row.kernel->claim != nullptr || row.kernel->outputs != nullptr; }

}  // namespace orderlab
