// Text, CSV and JSON of `infer` with a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/json.hpp"
#include "orderlab/study/infer_model.hpp"
#include "show/text_style.hpp"

namespace orderlab {

/// The model, each run beside the first, and what each reduction does by itself.
std::string to_text(const study::ModelInferFinding& finding, const TextStyle& style);

/// One row for each answer of each run that is compared.
std::string to_csv(const study::ModelInferFinding& finding);

std::string to_json(const study::ModelInferFinding& finding);

/// What decides every number of a record: the model's and the prompts' hash, settings, tokens, runs.
Json record_config(const study::ModelInferFinding& question);

/// What a finding is about, which is all of it but its answers.
Json question_json(const study::ModelInferFinding& question);

/// The inverse. Error(input) for another document; usage for numbers out of range.
study::ModelInferFinding infer_question_from(const Json& json);

/// A record on one line; the inverse gives it back without loss. Error(input) for another text.
std::string record_text(const study::AnswerRecord& record);
study::AnswerRecord answer_record(std::string_view text);

/// Sentences for text and page: how often tokens flip, and which reduction does most of it.
std::vector<std::string> conclusions_of(const study::ModelInferFinding& finding);

/// What such a finding cannot know.
std::vector<std::string> limits_of(const study::ModelInferFinding& finding);

}  // namespace orderlab
