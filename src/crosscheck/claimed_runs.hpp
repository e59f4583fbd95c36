// The runs of a capture with what their kernels claim of them, by the terms that they add.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crosscheck/verify.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// A run with its claim.
struct ClaimedRun {
  const CapturedRun* run = nullptr;
  VerifiedRun* verified = nullptr;
  bool fixed = false;  ///< the claim is one order

  /// Nothing tells the order of its float atomics.
  bool races() const { return !fixed && run->returned.empty(); }
};

/// Error(input) with the nearest name.
const KernelInfo& kernel_of(const CapturedRun& run, std::span<const KernelInfo* const> kernels);

/// The GPU of a capture as __CUDA_ARCH__ names it, by its fact compute_capability; 0: it has none, or
/// one that is no such number.
unsigned architecture_of(const Capture& capture);

/// The sum, NaN canonical: what a GPU puts into one is not the model's matter.
std::uint64_t canonical_bits(const CapturedRun& run);

/// Throws Error(input, "FILE:LINE: problem").
[[noreturn]] void refuse_run(const std::string& file, const CapturedRun& run, const std::string& problem);

/// The runs over one input: its terms are drawn once.
struct InputGroup {
  std::vector<ClaimedRun> runs;

  const CapturedRun& first() const { return *runs.front().run; }
  Terms terms() const;
};

/// The runs of one sum of `capture` with the claims of `kernels`, which are written to `verified`, one for each run.
/// Errors as verify.
std::vector<InputGroup> group_by_input(const Capture& capture, const std::string& file,
                                       std::span<const KernelInfo* const> kernels, std::span<VerifiedRun> verified);

}  // namespace orderlab
