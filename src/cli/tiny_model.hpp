// The model that is built into the program: it continues bytes of text.
#pragma once

#include <vector>

#include "orderlab/language_model.hpp"

namespace orderlab::cli {

/// The model of src/inference/tiny, called "tiny". A token is a byte.
LanguageModel tiny_model();

/// The prompts that come with it.
std::vector<Prompt> tiny_prompts();

}  // namespace orderlab::cli
