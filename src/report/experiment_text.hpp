// What a person reads after `sample` and `sum`.
#pragma once

#include <string>

#include "report/experiment_report.hpp"
#include "report/text_style.hpp"

namespace orderlab {

/// One order: its results, a histogram and a conclusion. Several: one table that compares them, and a conclusion each.
std::string to_text(const ExperimentReport& report, const TextStyle& style);

}  // namespace orderlab
