// Text, CSV and JSON of a comparison of two models, and its decision in words.
#pragma once

#include <string>
#include <vector>

#include "orderlab/study/compare.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// What the comparison shows, and what it would take: sentences, the decision first.
std::vector<std::string> decision_of(const study::CompareFinding& finding);

/// What the numbers rest on: best-of-k, the test set, left-out seeds. Sentences.
std::vector<std::string> notes_of(const study::CompareFinding& finding);

/// "A" and the file that it came from.
std::string name_of(const char* arm, const study::ComparedArm& compared);

/// `value` with as many decimals as its error `scale` has down to its second digit: "0.7812" for a scale of 0.0034.
std::string to_scale(double value, double scale);

/// What such numbers are rounded by: the smallest half-width or sd of the comparison that is not 0.
double scale_of(const study::CompareFinding& finding);

std::string to_text(const study::CompareFinding& finding, const TextStyle& style);
std::string to_json(const study::CompareFinding& finding);

/// One row for each model.
std::string to_csv(const study::CompareFinding& finding);

}  // namespace orderlab
