// The runs of a language model: what each of them makes of the texts, prompt by prompt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "orderlab/language_model.hpp"
#include "orderlab/study/infer_model.hpp"

namespace orderlab::study {

/// Tokens of the longest text.
std::size_t capacity_of(const std::vector<Prompt>& prompts, const ModelInferRequest& request);

/// What is run.
struct ModelWork {
  const LanguageModel& model;
  const std::vector<Prompt>& prompts;
  const ModelInferFinding& question;
  const std::vector<std::uint64_t>& wanted;  ///< numbers of prompts
  bool kept;                                 ///< records are kept: few prompts together, so that a stop loses little
};

/// Calls done(record) for each prompt that is wanted, in their order. Sets `logits` to those of the first run where the
/// request keeps them.
///
/// Errors: unsupported for more memory than the machine has. Stopped, after which the records so far are whole.
void run_model(const ModelWork& work, std::vector<float>& logits,
               const std::function<void(const AnswerRecord& record)>& done);

}  // namespace orderlab::study
