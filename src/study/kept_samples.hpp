// Drawing the samples that are not known yet, in steps, so that what is drawn can be kept meanwhile.
#pragma once

#include <functional>

#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/sample.hpp"

namespace orderlab::study {

/// Known samples and those of options.begin .. options.end-1; when stopped, fewer of the latter. `keep` may be empty;
/// it is called every ten seconds, or after every two samples of each thread if those take longer, and at the end if
/// there is anything new.
///
/// Error(input) for known counts of another frame.
CountedSamples draw_missing(const Evaluator& evaluator, const CountingFrame& frame, const SampleOptions& options,
                            const CountedSamples* known, const std::function<void(const CountedSamples&)>& keep);

}  // namespace orderlab::study
