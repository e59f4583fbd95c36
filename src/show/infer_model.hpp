// Text, CSV and JSON of `infer` with a model.
#pragma once

#include <string>
#include <vector>

#include "orderlab/study/infer_model.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// The model, each run beside the first, and what each reduction does by itself.
std::string to_text(const study::ModelInferFinding& finding, const TextStyle& style);

/// One row for each answer of each run that is compared.
std::string to_csv(const study::ModelInferFinding& finding);

std::string to_json(const study::ModelInferFinding& finding);

/// Sentences for text and page: how often tokens flip, and which reduction does most of it.
std::vector<std::string> conclusions_of(const study::ModelInferFinding& finding);

/// What such a finding cannot know.
std::vector<std::string> limits_of(const study::ModelInferFinding& finding);

}  // namespace orderlab
