// A captured run of a kernel with many outputs compared with the operation that it claims.
#pragma once

#include "crosscheck/verify.hpp"

namespace orderlab {

/// The verdict on the run. Error(input) or Error(usage) for a run that the kernel cannot make.
VerifiedRun verified_outputs(const CapturedRun& run, const KernelInfo& kernel);

}  // namespace orderlab
