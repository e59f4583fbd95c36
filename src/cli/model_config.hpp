// config.json of a language model: its sizes, and which weights it has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "orderlab/language_model.hpp"

namespace orderlab::cli {

/// What config.json says.
struct ModelConfig {
  std::string file;            ///< its name, for messages
  LanguageModel model;         ///< all but its weights; as many layers, empty, as there are
  bool tied = false;           ///< the embedding is the head
  bool head_norms = false;     ///< queries and keys of a head are normalized
  bool query_biases = false;   ///< of queries, keys and values
  bool output_biases = false;  ///< of the output of the attention
  bool mlp_biases = false;
  bool neox = false;  ///< tensors as GPT-NeoX names them: one of queries, keys and values, no gate
};

/// The model types that there are: "llama, mistral, qwen2, qwen3 and gpt_neox".
std::string known_model_types();

/// Sizes are bounded: products of two of them have no overflow.
///
/// Errors: input, "FILE: what is wrong; what is supported": no JSON, a size that is absent or out of bounds, a model
/// type, an activation, rotary embeddings, a sliding window, experts or quantized weights that are not supported.
ModelConfig parse_model_config(std::string_view text, const std::string& file);

}  // namespace orderlab::cli
