// What a capture says of the machine it was made on, and what it found out about its arithmetic. No CUDA types.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace orderlab::cuda {

using NamedText = std::pair<std::string, std::string>;

/// The GPU, the software on it and the compiler, in a fixed order: device, compute_capability, sm_count,
/// max_threads_per_sm, l2_bytes, driver, runtime, nvcc, cub, architectures, binary_version, flags.
std::vector<NamedText> gpu_facts();

/// Sums of two numbers by each kind of atomic and by a plain addition: subnormals, signed zeros, overflow, NaN.
std::vector<NamedText> addition_probes();

/// Whether atomics of one warp, or of more, are added one by one.
std::vector<NamedText> combination_probes();

/// What the compiler made of a*b + c, and whether ordinary additions keep subnormals.
std::vector<NamedText> compiler_probes();

/// All probes, by the functions above.
std::vector<NamedText> gpu_probes();

}  // namespace orderlab::cuda
