// A decoder language model: its shape and its weights, where they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab {

/// Weights of a matrix product, one row per output, as they lie in memory (little-endian).
struct WeightMatrix {
  Format format = Format::fp32;  ///< fp32, fp16 or bf16
  std::size_t rows = 0;          ///< outputs; 0: no such matrix
  std::size_t columns = 0;       ///< inputs
  const std::byte* numbers = nullptr;
  std::size_t run = 0;     ///< rows that follow each other, where others lie between; 0: all
  std::size_t period = 0;  ///< rows from the beginning of one such run to that of the next

  const std::byte* row(std::size_t r) const {
    const std::size_t place = run == 0 ? r : r / run * period + r % run;
    return numbers + place * columns * info(format).held_bytes();
  }
};

enum class Normalization : std::uint8_t { rms, layer };

enum class Activation : std::uint8_t { silu, gelu, gelu_tanh };

/// Weights and biases of a normalization.
struct NormWeights {
  std::vector<float> scale;  ///< empty: no such normalization
  std::vector<float> bias;   ///< empty: none
};

/// A matrix product with its bias.
struct LinearWeights {
  WeightMatrix matrix;
  std::vector<float> bias;  ///< empty: none
};

struct DecoderLayer {
  NormWeights before_attention;
  NormWeights before_mlp;
  LinearWeights query;  ///< heads * head_dim outputs
  LinearWeights key;    ///< kv_heads * head_dim outputs
  LinearWeights value;
  NormWeights query_norm;  ///< of each head's head_dim numbers, before the rotation
  NormWeights key_norm;
  LinearWeights attention_output;
  LinearWeights gate;  ///< no matrix: down(activation(up(x))); else down(activation(gate(x)) * up(x))
  LinearWeights up;
  LinearWeights down;
};

/// How the frequencies of Llama 3.1's rotary embeddings are stretched.
struct RotaryScaling {
  double factor = 8;
  double low_frequency_factor = 1;
  double high_frequency_factor = 4;
  double original_positions = 8192;
};

/// Rotary position embeddings; the first half of the dimensions is rotated with the second.
struct RotaryEmbedding {
  std::size_t dimensions = 0;  ///< of each head's head_dim, the first ones; even
  double theta = 10000;
  std::optional<RotaryScaling> scaling = {};
};

/// A model. Its matrices lie in `storage`, which may be a mapped file.
struct LanguageModel {
  std::string name;  ///< "tiny", or its folder
  std::string type;  ///< "llama", as config.json says
  std::string hash;  ///< of its files, "xxh3:..."; empty: unknown
  std::size_t vocabulary = 0;
  std::size_t hidden = 0;
  std::size_t intermediate = 0;
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  std::size_t head_dim = 0;
  std::size_t positions = 0;  ///< tokens of a sequence that the model was made for
  Normalization normalization = Normalization::rms;
  double norm_epsilon = 1e-5;
  Activation activation = Activation::silu;
  bool parallel_residual = false;  ///< attention and MLP both read the layer's input: x + attention(x) + mlp(x)
  RotaryEmbedding rotary;
  std::vector<DecoderLayer> layers;
  NormWeights final_norm;
  WeightMatrix embedding;  ///< vocabulary x hidden
  WeightMatrix head;       ///< vocabulary x hidden; the embedding's where they are tied
  std::shared_ptr<const void> storage;

  /// Numbers of all weights, tied ones once.
  std::uint64_t parameters() const;
};

/// What a model is given to continue.
struct Prompt {
  std::string name;  ///< of its file, or "prompt 3"
  std::vector<std::uint32_t> tokens;

  friend bool operator==(const Prompt&, const Prompt&) = default;
};

}  // namespace orderlab
