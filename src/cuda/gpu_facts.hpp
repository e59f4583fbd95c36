// What a capture says of the machine it was made on, and what it found out about its arithmetic. No CUDA types.
#pragma once

#include <vector>

#include "cuda/capture_file.hpp"

namespace orderlab::cuda {

/// The GPU, the software on it and the compiler, in a fixed order: device, compute_capability, sm_count,
/// max_threads_per_sm, l2_bytes, driver, runtime, nvcc, cub, architectures, binary_version, flags.
std::vector<CaptureEntry> gpu_facts();

/// Sums of two numbers by each kind of atomic and by a plain addition: subnormals, signed zeros, overflow, NaN.
std::vector<CaptureEntry> addition_probes();

/// Whether atomics of one warp, or of more, are added one by one.
std::vector<CaptureEntry> combination_probes();

/// What the compiler made of a*b + c, and whether ordinary additions keep subnormals.
std::vector<CaptureEntry> compiler_probes();

/// All probes, by the functions above.
std::vector<CaptureEntry> gpu_probes();

}  // namespace orderlab::cuda
