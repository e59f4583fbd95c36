// What the stage `tree` needs to know about `pairwise`, its fixed form.
#pragma once

#include "orderlab/stage.hpp"

namespace orderlab {

/// The stage `pairwise` with its defaults.
StageCall pairwise_call();

}  // namespace orderlab
