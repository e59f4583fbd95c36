// All outputs of an operation, each added by one fixed order.
#pragma once

#include "orderlab/loop.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// The outputs, in the result format. An output's numbers are those of its row as the operation has them: an initial
/// value is the first of them, or where they are products it is added to their sum. Sums are divided where the
/// operation divides. An output without numbers is +0.
///
/// Shape:  the order is fixed.
/// Errors: usage for an order that cannot add one of the rows, and for outputs that are no sums of rows of their own
///         (prefix sums, products).
Terms ordered_results(const LoweredOperation& operation, const Order& order, const Loop& loop);

}  // namespace orderlab
