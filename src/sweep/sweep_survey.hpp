// What the stores of a sweep have of it, found without merging them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "sweep/sweep_plan.hpp"
#include "sweep/sweep_status.hpp"

namespace orderlab {

struct SurveyOptions {
  const SweepPlan* plan = nullptr;  ///< null: that of the first store that has one
  std::stop_token stop = {};
  std::function<void(std::uint64_t stores_done, std::uint64_t stores)> progress = {};
};

struct SweepSurvey {
  SweepStatus status{{}, 0};
  std::vector<std::string> absent = {};      ///< stores that are not there or have no sweep yet
  std::vector<std::string> unreadable = {};  ///< damaged ones, which count as without points
  std::vector<std::string> foreign = {};     ///< unreadable ones that are no stores at all
  std::vector<std::string> complaints = {};  ///< what is wrong with each unreadable one
  bool stopped = false;
};

/// Opens each store for reading, one after the other; sweeps may be running on them. A point is finished where one of
/// the stores has it.
///
/// Error(input): stores of different sweeps, or of another than the plan's; none that has a sweep, without a plan.
SweepSurvey survey_stores(std::span<const std::string> stores, const SurveyOptions& options);

}  // namespace orderlab
