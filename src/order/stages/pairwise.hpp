// What the stage `tree` needs to know about `pairwise`, its fixed form.
#pragma once

#include "orderlab/order.hpp"

namespace orderlab {

/// The stage `pairwise` with its defaults.
StageCall pairwise_call();

}  // namespace orderlab
