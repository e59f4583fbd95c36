// What `orderlab verify` found, for its three reports.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "crosscheck/verify.hpp"

namespace orderlab {

/// One capture with its verdicts; runs.size() == capture.runs.size().
struct VerifiedCapture {
  std::string file;
  Capture capture;
  std::vector<VerifiedRun> runs;

  std::uint64_t mismatches() const {
    return static_cast<std::uint64_t>(
        std::count_if(runs.begin(), runs.end(), [](const VerifiedRun& run) { return run.mismatch; }));
  }

  /// Stopped before every run was looked at.
  bool partial() const {
    return std::any_of(runs.begin(), runs.end(),
                       [](const VerifiedRun& run) { return run.verdict == RunVerdict::unchecked; });
  }
};

struct VerificationReport {
  std::vector<VerifiedCapture> captures;
  double confidence = 0.999;
  std::uint64_t seed = 1;
};

}  // namespace orderlab
