// Reductions of OpenMP by each number of threads.
#pragma once

#include <string>
#include <vector>

#include "crosscheck/runtimes/runtime.hpp"

namespace orderlab {

/// What a runtime does with the sums of `threads` threads.
struct OpenMpRule {
  std::string rule;                      ///< "openmp(t)"
  std::string order;                     ///< "openmp(4)"
  std::vector<std::string> others = {};  ///< as RuntimeCase::others
};

/// Loops of up to `most_threads` threads, on several numbers of terms, all in one process.
std::vector<RuntimeSetting> openmp_settings(const RuntimeScope& scope, std::size_t most_threads,
                                            OpenMpRule (*rule)(std::size_t threads));

}  // namespace orderlab
