// Kernels against the orders that they claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct CrossCheckRequest {
  std::vector<std::size_t> sizes = {};            ///< empty: around every power of two up to 4096, and 20000
  std::vector<Format> formats = {};               ///< empty: fp32, fp64, fp16 and bf16, those of them that a kernel has
  std::uint64_t seed = 1;                         ///< first one of terms and schedules; the others follow it
  std::uint64_t samples = 1;                      ///< arrival orders of each case with float atomics
  int threads = 0;                                ///< 0: all; findings never depend on it
  Vocabulary vocabulary = built_in_vocabulary();  ///< what the kernels' claims are read with
};

/// Every size up to one thread block, and large ones, in fp32 and fp64.
CrossCheckRequest full_crosscheck();

struct CrossCheckFinding {
  CrossChecks checks;
  CrossCheckOptions options;         ///< what was run
  std::vector<std::string> devices;  ///< devices of the executors, in their order
  std::vector<std::string> kernels;  ///< those that the caller asked for by name; none: all
  std::string unchecked;             ///< what of the kernels' accesses could not be checked, a line; empty: nothing

  std::uint64_t cases() const {
    std::uint64_t all = 0;
    for (const CrossCheckRow& row : checks.rows) all += row.cases;
    return all;
  }
};

/// Runs every executor in all cases. The finding is partial when interrupted. Errors as orderlab::crosscheck.
CrossCheckFinding crosscheck(std::span<const Executor> executors, const CrossCheckRequest& request = {},
                             const Watch& watch = {});

}  // namespace orderlab::study
