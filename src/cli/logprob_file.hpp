// Answers with log-probabilities, from files of what servers said.
#pragma once

#include <string>

#include "orderlab/study/infer.hpp"

namespace orderlab::cli {

/// The answers in a file of responses: JSON lines, one response each, an array of responses, or one response; "-" for
/// standard input. A response is that of an OpenAI-compatible server to a chat completion
/// (`choices[].logprobs.content`) or a completion (`choices[].logprobs.top_logprobs`), that of SGLang
/// (`meta_info.output_top_logprobs`), or a line of a batch API that has one in `response.body`.
///
/// Errors: input, "FILE:LINE: what is missing": no JSON, a response without log-probabilities or with those of one
/// candidate only, values of other types, a token that is not the likeliest.
study::AnswerRun read_answers(const std::string& path);

}  // namespace orderlab::cli
