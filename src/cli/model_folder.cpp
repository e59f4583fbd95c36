#include "cli/model_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "core/input_file.hpp"
#include "files/mapped_file.hpp"
#include "orderlab/error.hpp"
#include "sweep/content_hash.hpp"

namespace orderlab::cli {

namespace {

constexpr std::uint64_t kMostConfigBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostIndexBytes = std::uint64_t{1} << 26;
constexpr std::string_view kNeedsModel = "a model is a folder with config.json and model.safetensors";

NormWeights norm_weights(const ModelTensors& tensors, const std::string& name, std::size_t size, bool bias) {
  NormWeights norm{.scale = tensors.vector(name + ".weight", size), .bias = {}};
  if (bias) norm.bias = tensors.vector(name + ".bias", size);
  return norm;
}

LinearWeights linear_weights(const ModelTensors& tensors, const std::string& name, std::size_t rows,
                             std::size_t columns, bool bias) {
  LinearWeights linear{.matrix = tensors.matrix(name + ".weight", rows, columns), .bias = {}};
  if (bias) linear.bias = tensors.vector(name + ".bias", rows);
  return linear;
}

DecoderLayer llama_layer(const ModelConfig& config, const ModelTensors& tensors, const std::string& prefix) {
  const LanguageModel& model = config.model;
  const std::size_t queries = model.heads * model.head_dim;
  const std::size_t keys = model.kv_heads * model.head_dim;
  const auto linear = [&](const char* name, std::size_t rows, std::size_t columns, bool bias) {
    return linear_weights(tensors, prefix + name, rows, columns, bias);
  };
  const auto norm = [&](const char* name, std::size_t size) {
    return norm_weights(tensors, prefix + name, size, false);
  };
  DecoderLayer layer;
  layer.before_attention = norm("input_layernorm", model.hidden);
  layer.before_mlp = norm("post_attention_layernorm", model.hidden);
  layer.query = linear("self_attn.q_proj", queries, model.hidden, config.query_biases);
  layer.key = linear("self_attn.k_proj", keys, model.hidden, config.query_biases);
  layer.value = linear("self_attn.v_proj", keys, model.hidden, config.query_biases);
  if (config.head_norms) {
    layer.query_norm = norm("self_attn.q_norm", model.head_dim);
    layer.key_norm = norm("self_attn.k_norm", model.head_dim);
  }
  layer.attention_output = linear("self_attn.o_proj", model.hidden, queries, config.output_biases);
  layer.gate = linear("mlp.gate_proj", model.intermediate, model.hidden, config.mlp_biases);
  layer.up = linear("mlp.up_proj", model.intermediate, model.hidden, config.mlp_biases);
  layer.down = linear("mlp.down_proj", model.hidden, model.intermediate, config.mlp_biases);
  return layer;
}

/// One of the three parts of a fused matrix with the rows [head, part, head_dim].
LinearWeights part_of_fused(const LinearWeights& fused, std::size_t part, std::size_t head_dim) {
  LinearWeights linear;
  linear.matrix = fused.matrix;
  linear.matrix.rows = fused.matrix.rows / 3;
  linear.matrix.numbers = fused.matrix.row(part * head_dim);
  linear.matrix.run = head_dim;
  linear.matrix.period = 3 * head_dim;
  for (std::size_t r = 0; r < linear.matrix.rows && !fused.bias.empty(); ++r)
    linear.bias.push_back(fused.bias[r / head_dim * 3 * head_dim + part * head_dim + r % head_dim]);
  return linear;
}

DecoderLayer neox_layer(const ModelConfig& config, const ModelTensors& tensors, const std::string& prefix) {
  const LanguageModel& model = config.model;
  const auto linear = [&](const char* name, std::size_t rows, std::size_t columns, bool bias) {
    return linear_weights(tensors, prefix + name, rows, columns, bias);
  };
  DecoderLayer layer;
  layer.before_attention = norm_weights(tensors, prefix + "input_layernorm", model.hidden, true);
  layer.before_mlp = norm_weights(tensors, prefix + "post_attention_layernorm", model.hidden, true);
  const LinearWeights fused =
      linear("attention.query_key_value", 3 * model.heads * model.head_dim, model.hidden, config.query_biases);
  layer.query = part_of_fused(fused, 0, model.head_dim);
  layer.key = part_of_fused(fused, 1, model.head_dim);
  layer.value = part_of_fused(fused, 2, model.head_dim);
  layer.attention_output = linear("attention.dense", model.hidden, model.heads * model.head_dim, config.output_biases);
  layer.up = linear("mlp.dense_h_to_4h", model.intermediate, model.hidden, config.mlp_biases);
  layer.down = linear("mlp.dense_4h_to_h", model.hidden, model.intermediate, config.mlp_biases);
  return layer;
}

/// A folder's files, whose mappings live as long as the model.
struct MappedModel {
  std::vector<MappedFile> maps;
};

std::string file_of_model(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / name).string();
}

bool is_beside(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string text_of_model(const std::string& path, std::uint64_t most) {
  return InputFile(path, kNeedsModel, Pipes::refused).rest(most);
}

void require_model_folder(const std::string& folder) {
  std::error_code ignored;
  const auto fail = [&](const std::string& problem) {
    throw Error(ErrorKind::input, (folder.empty() ? "''" : folder) + ": " + problem);
  };
  if (!std::filesystem::exists(folder, ignored))
    fail(
        fmt::format("no such folder; {}, or tiny, which is built in; `hf download NAME --local-dir FOLDER` fetches one",
                    kNeedsModel));
  if (!std::filesystem::is_directory(folder, ignored)) fail(fmt::format("is not a folder; {}, or tiny", kNeedsModel));
}

/// There are neither safetensors nor an index of them.
[[noreturn]] void refuse_without_tensors(const std::string& folder) {
  bool pickled = false;
  bool gguf = false;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string suffix = entry.path().extension().string();
    pickled = pickled || suffix == ".bin" || suffix == ".pt" || suffix == ".pth";
    gguf = gguf || suffix == ".gguf";
  }
  if (pickled)
    throw Error(
        ErrorKind::input,
        folder +
            ": has pickled weights, and reading a pickle runs what it says; convert them where you trust "
            "them: python3 -c \"import sys; from transformers import AutoModelForCausalLM as M; "
            "M.from_pretrained(sys.argv[1], torch_dtype='auto').save_pretrained(sys.argv[2])\" FOLDER NEW_FOLDER");
  throw Error(ErrorKind::input, fmt::format("{}: has no model.safetensors and no model.safetensors.index.json{}; {}",
                                            folder, gguf ? ", and GGUF is not read" : "", kNeedsModel));
}

ModelTensors tensors_in(const std::string& folder, MappedModel& mapped) {
  const auto map = [&](const std::string& path, std::string_view remedy) {
    mapped.maps.emplace_back(path, remedy);
    return ModelFile{.name = path, .bytes = mapped.maps.back().bytes()};
  };
  const std::string whole = file_of_model(folder, "model.safetensors");
  const std::string index_path = file_of_model(folder, "model.safetensors.index.json");
  if (is_beside(whole)) return ModelTensors(map(whole, kNeedsModel));
  if (!is_beside(index_path)) refuse_without_tensors(folder);
  TensorIndex index = parse_tensor_index(text_of_model(index_path, kMostIndexBytes), index_path);
  std::vector<ModelFile> files;
  for (const std::string& name : index.files())
    files.push_back(map(file_of_model(folder, name), "model.safetensors.index.json names it; fetch it too"));
  return ModelTensors(files, std::move(index));
}

}  // namespace

LanguageModel make_language_model(ModelConfig config, const ModelTensors& tensors) {
  LanguageModel& model = config.model;
  const std::string embedding = config.neox ? "gpt_neox.embed_in.weight" : "model.embed_tokens.weight";
  const std::string head = config.neox ? "embed_out.weight" : "lm_head.weight";
  model.embedding = tensors.matrix(embedding, model.vocabulary, model.hidden);
  if (!config.tied && !tensors.has(head))
    throw Error(ErrorKind::input, fmt::format("{}: `tie_word_embeddings` is not true, and there is no tensor {} of "
                                              "shape [{}, {}]; say true if {} is both",
                                              config.file, head, model.vocabulary, model.hidden, embedding));
  model.head = config.tied ? model.embedding : tensors.matrix(head, model.vocabulary, model.hidden);
  model.final_norm =
      norm_weights(tensors, config.neox ? "gpt_neox.final_layer_norm" : "model.norm", model.hidden, config.neox);
  for (std::size_t i = 0; i < model.layers.size(); ++i)
    model.layers[i] = config.neox ? neox_layer(config, tensors, fmt::format("gpt_neox.layers.{}.", i))
                                  : llama_layer(config, tensors, fmt::format("model.layers.{}.", i));
  return std::move(model);
}

std::string hash_of_files(const std::vector<std::string_view>& contents) {
  ContentHasher hasher;
  for (const std::string_view content : contents) {
    hasher.add(std::to_string(content.size()) + ":");
    hasher.add(content);
  }
  return hasher.digest().text();
}

LanguageModel read_language_model(const std::string& folder) {
  require_model_folder(folder);
  const std::string config_path = file_of_model(folder, "config.json");
  const std::string config_text = text_of_model(config_path, kMostConfigBytes);
  ModelConfig config = parse_model_config(config_text, config_path);
  const auto mapped = std::make_shared<MappedModel>();
  LanguageModel model = make_language_model(std::move(config), tensors_in(folder, *mapped));
  model.name = folder;
  std::vector<std::string_view> contents{config_text};
  for (const MappedFile& file : mapped->maps)
    contents.emplace_back(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  model.hash = hash_of_files(contents);
  model.storage = mapped;
  return model;
}

}  // namespace orderlab::cli
