// Orders that kernels of a launch shape usually have.
#pragma once

#include <vector>

#include "orderlab/kernel.hpp"
#include "orderlab/probe.hpp"

namespace orderlab {

/// Fixed orders of n terms for any n: what a thread adds, a tree in each warp or thread block, and what adds those up in
/// launch order. Hypotheses only: a probe that tries them first needs fewer calls, and finds them in the kernel's terms.
std::vector<WrittenOrder> usual_orders(const LaunchShape& shape, bool products);

}  // namespace orderlab
