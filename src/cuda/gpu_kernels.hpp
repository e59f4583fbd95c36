// Running kernels on a GPU, for callers that know no CUDA. A build without CUDA has the same functions
// (absent/).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/kernel.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab::cuda {

/// One run to make.
struct GpuRequest {
  std::string_view kernel;
  TermView terms;  ///< products for a kernel of products
  LaunchShape shape;
  bool record = false;         ///< keep what the float atomics returned, and tickets
  ArrayView arrays{};          ///< for a kernel with many outputs: its source is the terms
  Format sums = terms.format;  ///< the format of sums and result, where it is not that of the terms
};

/// What it gave: bits of request.sums, as the GPU left them, those of a NaN too.
struct GpuRun {
  std::uint64_t bits = 0;
  ArrivalUnit unit = ArrivalUnit::none;
  LaunchShape shape{};                    ///< shape of the launch; for a claim
  std::vector<std::uint64_t> returned{};  ///< as in RunResult
  std::vector<std::uint32_t> tickets{};
  std::uint64_t temporary_bytes = 0;
  unsigned alignment = 0;                    ///< alignment of the terms in bytes, at most 256
  std::vector<std::uint64_t> outputs{};      ///< for a kernel with many outputs; `returned` is then by contribution
  std::vector<std::uint32_t> looked_back{};  ///< as in RunResult
};

/// Why no GPU can be used, in one line; nothing where one can.
std::optional<std::string> gpu_problem();

/// Why this GPU, which can be used, cannot run the kernel as it was compiled, in one line; nothing where it can.
std::optional<std::string> gpu_problem(const KernelInfo& kernel);

/// The kernels that this build can run on a GPU, hand-written ones first.
std::span<const KernelInfo* const> gpu_kernels();

/// Runs one kernel on the current GPU.
///
/// Errors: usage: an unknown kernel, or terms that are no products where products are summed, or the other way round;
///         unsupported: a format or a shape that the kernel was not compiled for, or instructions that the GPU lacks;
///         device: what CUDA says.
GpuRun run_on_gpu(const GpuRequest& request);

}  // namespace orderlab::cuda
