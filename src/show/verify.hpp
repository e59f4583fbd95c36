// What `verify` found, and its text, CSV and JSON.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "crosscheck/verify.hpp"
#include "show/text_style.hpp"

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

struct VerifyFinding {
  std::vector<VerifiedCapture> captures;
  double confidence = 0.999;
  std::uint64_t seed = 1;
  bool partial = false;  ///< stopped before every capture was begun
};

std::string to_text(const VerifyFinding& finding, const TextStyle& style);

/// One row a run.
std::string to_csv(const VerifyFinding& finding);

std::string to_json(const VerifyFinding& finding);

}  // namespace orderlab
