// What a person reads after `sample` and `sum`.
#pragma once

#include <string>

#include "orderlab/study/sample.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// One order: its results, a histogram and a conclusion. Several: one table that compares them, and a conclusion each.
std::string to_text(const study::SampleFinding& report, const TextStyle& style);

}  // namespace orderlab
