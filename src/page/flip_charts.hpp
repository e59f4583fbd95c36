// Charts of flips of a language model's tokens: answers that are still the same, and margins beside the noise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "page/chart.hpp"

namespace orderlab {

/// Where an answer ends that is compared: with a flip, or without.
struct AnswerEnd {
  std::uint64_t tokens = 0;
  bool flip = false;
};

/// Answers of one run.
struct FlipSeries {
  std::string name = {};             ///< empty where it is the only run
  std::vector<AnswerEnd> ends = {};  ///< empty: none were observed
  double per_token = 0;              ///< expected flips
};

extern const Chart kSurvivalChart;
extern const Chart kMarginChart;

/// The share of answers without a flip by tokens, up to `longest`, as observed and as expected.
Figure draw_survival(const std::vector<FlipSeries>& runs, std::uint64_t longest);

/// A histogram of margins, with the mean absolute change of a margin.
Figure draw_margins(std::vector<double> margins, double mean_abs);

}  // namespace orderlab
