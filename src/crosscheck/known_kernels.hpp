// Every kernel whose claim is known.
#pragma once

#include <vector>

#include "orderlab/kernel.hpp"

namespace orderlab {

/// The hand-written kernels, then the libraries', then instructions of CPUs.
std::vector<const KernelInfo*> known_kernels();

}  // namespace orderlab
