// Small models that a test writes: random weights, and the config and the tensors that the library transformers saves.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/program.hpp"
#include "config/json.hpp"
#include "orderlab/language_model.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::cli {

struct WrittenTensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::string bytes;
};

/// A file of this header and this data.
inline std::string safetensors_of(std::string_view header, std::string_view data = {}) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((std::uint64_t{header.size()} >> shift) & 255);
  return bytes.append(header).append(data);
}

inline std::string safetensors_of(const std::vector<WrittenTensor>& tensors) {
  Json header = Json::object();
  header["__metadata__"] = Json{{"format", "pt"}};
  std::string data;
  for (const WrittenTensor& tensor : tensors) {
    Json entry = Json::object();
    entry["dtype"] = tensor.dtype;
    entry["shape"] = Json(tensor.shape);
    entry["data_offsets"] = Json::array({data.size(), data.size() + tensor.bytes.size()});
    header[tensor.name] = entry;
    data += tensor.bytes;
  }
  return safetensors_of(header.dump(), data);
}

/// A model as files.
struct WrittenModel {
  Json config;
  std::vector<WrittenTensor> tensors = {};

  /// Random numbers from -2 to 2, of which all formats have many.
  void add(const std::string& name, std::vector<std::uint64_t> shape, Format format = Format::bf16) {
    IndexGenerator draw(RandomStream(5, 0, tensors.size()), 0);
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    std::string bytes;
    for (std::uint64_t i = 0; i < count; ++i) {
      const double number = static_cast<double>(static_cast<std::int64_t>(draw() >> 11)) * 0x1p-51 - 2;
      const std::uint64_t bits = round_to_bits(format, number);
      for (int shift = 0; shift < info(format).bits; shift += 8) bytes += static_cast<char>((bits >> shift) & 255);
    }
    const char* dtype = format == Format::bf16 ? "BF16" : format == Format::fp16 ? "F16" : "F32";
    tensors.push_back({name, dtype, std::move(shape), std::move(bytes)});
  }

  /// A matrix, and its bias where there is one.
  void add_linear(const std::string& name, std::uint64_t rows, std::uint64_t columns, bool bias) {
    add(name + ".weight", {rows, columns});
    if (bias) add(name + ".bias", {rows}, Format::fp32);
  }

  void add_norm(const std::string& name, std::uint64_t size, bool bias) {
    add(name + ".weight", {size}, Format::fp16);
    if (bias) add(name + ".bias", {size}, Format::fp16);
  }

  WrittenTensor& operator[](std::string_view name) {
    for (WrittenTensor& tensor : tensors)
      if (tensor.name == name) return tensor;
    std::abort();
  }

  void remove(std::string_view name) {
    std::erase_if(tensors, [&](const WrittenTensor& tensor) { return tensor.name == name; });
  }

  /// Numbers of all tensors.
  std::uint64_t numbers() const {
    std::uint64_t count = 0;
    for (const WrittenTensor& tensor : tensors) {
      std::uint64_t product = 1;
      for (const std::uint64_t extent : tensor.shape) product *= extent;
      count += product;
    }
    return count;
  }

  void write(const std::string& folder) const {
    std::filesystem::create_directories(folder);
    TemporaryFolder::write(folder + "/config.json", config.dump(2));
    TemporaryFolder::write(folder + "/model.safetensors", safetensors_of(tensors));
  }

  /// Every third tensor in the same file.
  void write_shards(const std::string& folder) const {
    std::filesystem::create_directories(folder);
    TemporaryFolder::write(folder + "/config.json", config.dump(2));
    std::vector<WrittenTensor> files[3];
    Json places = Json::object();
    const auto name = [](std::size_t i) { return fmt::format("model-{:05}-of-00003.safetensors", i + 1); };
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      files[i % 3].push_back(tensors[i]);
      places[tensors[i].name] = name(i % 3);
    }
    for (std::size_t i = 0; i < 3; ++i) TemporaryFolder::write(folder + "/" + name(i), safetensors_of(files[i]));
    Json index = Json::object();
    index["metadata"] = Json{{"total_size", 1}};
    index["weight_map"] = places;
    TemporaryFolder::write(folder + "/model.safetensors.index.json", index.dump(2));
  }
};

/// 2 layers of 4 heads, of which 2 have keys and values; 12 hidden numbers, 6 a head, 20 tokens.
struct LlamaWeights {
  bool query_biases = false;
  bool output_biases = false;
  bool mlp_biases = false;
  bool head_norms = false;
  bool tied = false;
};
inline WrittenModel llama_model(const std::string& type, const LlamaWeights& weights = {}) {
  WrittenModel model;
  model.config = Json{{"model_type", type},       {"vocab_size", 20},       {"hidden_size", 12},
                      {"intermediate_size", 10},  {"num_hidden_layers", 2}, {"num_attention_heads", 4},
                      {"num_key_value_heads", 2}, {"head_dim", 6},          {"max_position_embeddings", 512},
                      {"rms_norm_eps", 1e-6},     {"hidden_act", "silu"},   {"tie_word_embeddings", weights.tied}};
  model.add("model.embed_tokens.weight", {20, 12});
  for (int i = 0; i < 2; ++i) {
    const std::string layer = fmt::format("model.layers.{}.", i);
    model.add_norm(layer + "input_layernorm", 12, false);
    model.add_linear(layer + "self_attn.q_proj", 24, 12, weights.query_biases);
    model.add_linear(layer + "self_attn.k_proj", 12, 12, weights.query_biases);
    model.add_linear(layer + "self_attn.v_proj", 12, 12, weights.query_biases);
    model.add_linear(layer + "self_attn.o_proj", 12, 24, weights.output_biases);
    if (weights.head_norms) {
      model.add_norm(layer + "self_attn.q_norm", 6, false);
      model.add_norm(layer + "self_attn.k_norm", 6, false);
    }
    model.add_norm(layer + "post_attention_layernorm", 12, false);
    model.add_linear(layer + "mlp.gate_proj", 10, 12, weights.mlp_biases);
    model.add_linear(layer + "mlp.up_proj", 10, 12, weights.mlp_biases);
    model.add_linear(layer + "mlp.down_proj", 12, 10, weights.mlp_biases);
  }
  model.add_norm("model.norm", 12, false);
  if (!weights.tied) model.add("lm_head.weight", {20, 12}, Format::fp32);
  return model;
}

/// 2 layers of 3 heads of 8 numbers; 20 tokens.
inline WrittenModel neox_model() {
  WrittenModel model;
  model.config = Json{{"model_type", "gpt_neox"},
                      {"vocab_size", 20},
                      {"hidden_size", 24},
                      {"intermediate_size", 10},
                      {"num_hidden_layers", 2},
                      {"num_attention_heads", 3},
                      {"max_position_embeddings", 64},
                      {"layer_norm_eps", 1e-5},
                      {"hidden_act", "gelu"},
                      {"rotary_pct", 0.25},
                      {"rotary_emb_base", 10000},
                      {"use_parallel_residual", true},
                      {"tie_word_embeddings", false}};
  model.add("gpt_neox.embed_in.weight", {20, 24}, Format::fp16);
  for (int i = 0; i < 2; ++i) {
    const std::string layer = fmt::format("gpt_neox.layers.{}.", i);
    model.add_norm(layer + "input_layernorm", 24, true);
    model.add_norm(layer + "post_attention_layernorm", 24, true);
    model.add_linear(layer + "attention.query_key_value", 72, 24, true);
    model.add_linear(layer + "attention.dense", 24, 24, true);
    model.add_linear(layer + "mlp.dense_h_to_4h", 10, 24, true);
    model.add_linear(layer + "mlp.dense_4h_to_h", 24, 10, true);
  }
  model.add_norm("gpt_neox.final_layer_norm", 24, true);
  model.add("embed_out.weight", {20, 24}, Format::fp16);
  return model;
}

}  // namespace orderlab::cli
