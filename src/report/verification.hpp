// Reports on captures held to the model: text, JSON, CSV.
#pragma once

#include <string>
#include <vector>

#include "crosscheck/verify.hpp"

namespace orderlab {

/// One capture with its verdicts; runs.size() == capture.runs.size().
struct VerifiedCapture {
  std::string file;
  Capture capture;
  std::vector<VerifiedRun> runs;

  std::uint64_t mismatches() const;
  bool partial() const;  ///< stopped before every run was looked at
};

struct VerificationReport {
  std::vector<VerifiedCapture> captures;
  double confidence = 0.999;
  std::uint64_t seed = 1;
};

std::string to_text(const VerifiedCapture& capture, bool color);
std::string to_json(const VerificationReport& report);

/// One row a run.
std::string to_csv(const VerificationReport& report);

}  // namespace orderlab
