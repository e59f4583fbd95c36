// What the text of `sample` and `sum` ends with.
#pragma once

#include <string>

#include "orderlab/study/sample.hpp"

namespace orderlab {

/// The conclusion about one order on that input: one sentence, or two where a running sum stops growing.
std::string conclusion_of(const study::SampledOrder& order, const study::InputFacts& input);

}  // namespace orderlab
