// Prompts for language models, as token ids or, for models of bytes, as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/language_model.hpp"

namespace orderlab::cli {

/// Tokens of a model of bytes.
inline constexpr std::size_t kByteTokens = 256;

/// The prompts in `text`, the content of the file `name`, for a model of so many tokens.
///
/// JSON lines, or one array of prompts. A prompt is an array of token ids, or an object with them in `tokens`,
/// `prompt_token_ids` or `prompt`, and maybe its name in `id` or `custom_id`; others are called "prompt 3". For a model
/// of 256 tokens, bytes, it may also be a text, or an object with a text in `prompt`, and the file may be plain text, a
/// line a prompt. It is plain where its name ends with .txt, or else does not begin as JSON and is not called .json or
/// .jsonl. Lines of nothing are skipped.
///
/// Errors: input, "NAME:LINE: what is wrong": no JSON, an id that the model does not have, an empty prompt, none at
/// all, a text for a model that is not one of bytes.
std::vector<Prompt> parse_prompts(std::string_view text, const std::string& name, std::size_t vocabulary);

/// The same of a file; "-" is standard input.
std::vector<Prompt> read_prompts(const std::string& path, std::size_t vocabulary);

}  // namespace orderlab::cli
