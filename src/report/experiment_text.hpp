// What a person reads after `sample` and `sum`.
#pragma once

#include <string>

#include "report/experiment.hpp"

namespace orderlab {

/// How the text may look.
struct TextStyle {
  int width = 80;
  bool color = false;
};

/// One order: its results, a histogram and a conclusion. Several: one table that compares them, and a conclusion each.
std::string to_text(const ExperimentReport& report, const TextStyle& style);

}  // namespace orderlab
