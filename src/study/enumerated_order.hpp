// One order enumerated on one input, with everything that is measured: what `enumerate` and points of a sweep do.
#pragma once

#include "orderlab/enumerate.hpp"
#include "orderlab/study/enumerate.hpp"
#include "study/order_run.hpp"

namespace orderlab::study {

/// The orders that `order` can draw. Error(unsupported) with the reason, if they cannot be enumerated.
OrderSpace space_of(const Order& order, const Evaluator& evaluator);

/// Everything that is known of an order whose results are known. `evaluator` is that of the order on `input`.
EnumeratedOrder measured(const OrderRun& run, const Evaluator& evaluator, const Input& input, Enumeration enumeration);

}  // namespace orderlab::study
