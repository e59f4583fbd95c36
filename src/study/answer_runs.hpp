// The runs of a language model that are compared with the first: which there are, and what their records add up to.
#pragma once

#include <vector>

#include "orderlab/study/infer_model.hpp"

namespace orderlab::study {

/// Where the numbers of one run of each record belong.
struct RunPlace {
  LogitDifference* difference;
  ModelComparison* comparison = nullptr;  ///< where flips of answers count
};

/// Of the runs of a record, in their order. They point into the finding.
std::vector<RunPlace> places_of_runs(ModelInferFinding& finding);

/// Whether each reduction that differs is changed alone, too. Where it is the only one, its effect is that of all.
bool taken_apart(const ModelComparison& comparison, const ModelInferRequest& request);

/// Numbers of the prompts that are asked for: from the first to before the second.
std::pair<std::uint64_t, std::uint64_t> asked_prompts(const ModelInferFinding& finding);

}  // namespace orderlab::study
