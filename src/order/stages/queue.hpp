// What a check needs to know about the stage `queue`.
#pragma once

#include <vector>

#include "orderlab/order.hpp"

namespace orderlab {

/// The stage with service times that vary not at all to much, where all workers or some take the chunks, and one worker
/// alone; none for a call of another stage.
std::vector<StageCall> usual_queues(const StageCall& call);

}  // namespace orderlab
