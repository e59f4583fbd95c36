// The table that compares several orders on one input.
#pragma once

#include <string>
#include <vector>

#include "orderlab/study/sample.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// What was typed for each order that was done, on one line; a text that was typed before gets a number: "warp #2".
std::vector<std::string> order_labels(const study::SampleFinding& finding);

/// A row for each order: errors, result and bits of a fixed one, spread of a random one. Long labels continue in
/// further rows.
std::string comparison_table(const study::SampleFinding& finding, const std::vector<std::string>& labels,
                             const TextStyle& style);

/// "2 different results among 3 orders, 18 ulp apart (relative 3.1e-15).": of the fixed ones. Empty where there is no
/// more than one.
std::string agreement_line(const study::SampleFinding& finding);

}  // namespace orderlab
