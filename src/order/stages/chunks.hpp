// What the rest of the order layer needs to know about the stage `chunks`.
#pragma once

#include "orderlab/order.hpp"

namespace orderlab {

/// The stage `chunks` of one thread, which takes all chunks of a size in turn; `each` may be absent.
StageCall one_thread_call(const Argument& chunk, const Argument& each);

}  // namespace orderlab
