// Where identical sums do not show what nvcc makes of a kernel: it contracts a*b + c into one fma unless told not to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"

namespace orderlab {

/// A line for each kernel whose claim rounds products that nvcc may fuse, and its executor does not.
std::vector<std::string> contraction_warnings(std::span<const Executor> executors, const CrossCheckOptions& options);

}  // namespace orderlab
