// How a caller follows a question that takes long, and stops it.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "orderlab/error.hpp"

namespace orderlab::study {

/// How far a stage is.
struct Progress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  double fraction = 0;  ///< share of the work that is done, where done and total do not say it
};

/// Draws that several processes share: orderlab/study/divided_draws.hpp.
struct DividedDraws;

/// All of it may be left out. The functions are called from one thread at a time, not always that of the caller, and
/// must not throw.
struct Watch {
  /// When a stop is requested, the finding is what was found until then. Where that is nothing, it is empty, or Stopped
  /// is thrown.
  std::stop_token stop = {};
  std::function<void(const std::string& stage)> begins = {};    ///< work that can be stopped: "sampling", "subsets"
  std::function<void(const Progress& progress)> advances = {};  ///< the stage that began last
  std::function<void()> ends = {};                              ///< the stage that began last
  /// "drawing 16000 samples to judge at ...", before it is done.
  std::function<void(const std::string& line)> announces = {};
  std::function<void(const std::string& line)> notes = {};  ///< what goes another way than asked
  const DividedDraws* divided = nullptr;                    ///< null: this process draws all that it needs
};

}  // namespace orderlab::study
