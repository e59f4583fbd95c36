// The verdict on a box whose summands have one sign: |x|, or x * x. No two of them cancel, so there are no masks.
#pragma once

#include "probe/judgement.hpp"

namespace orderlab {

Judgement judge_one_sided(AskedBox& box, BoxReplay& replay, const ProbeOptions& options);

}  // namespace orderlab
