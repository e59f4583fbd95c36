// What the rest of the order layer needs to know about the stage `arrive`.
#pragma once

#include "orderlab/order.hpp"

namespace orderlab {

/// The stage `arrive` with this model.
StageCall arrive_call(ArrivalCall model);

}  // namespace orderlab
