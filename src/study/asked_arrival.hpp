// The arrival model that the units of an operation have.
#pragma once

#include "orderlab/study/operation.hpp"

namespace orderlab::study {

/// The operation's own model, which the order of its rows names; else the one that was asked for. Error(usage).
ArrivalCall arrival_of(const LoweredOperation& operation, const AskedArrival& asked);

}  // namespace orderlab::study
