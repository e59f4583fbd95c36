// Models in folders: every weight is where its layer says, and what is wrong with other folders.
#include "cli/model_folder.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "cli/model_files.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

std::string model_refusal(const std::string& folder) {
  return message_of(ErrorKind::input, [&] { (void)read_language_model(folder); });
}

/// Whether the rows of `matrix` are rows first, first + 1, ... of the tensor, `run` of them each `period`.
bool is_tensor(const WeightMatrix& matrix, const WrittenTensor& tensor, std::size_t first = 0, std::size_t run = 0,
               std::size_t period = 0) {
  const std::size_t bytes = matrix.columns * info(matrix.format).held_bytes();
  if (tensor.shape.size() != 2 || tensor.shape[1] != matrix.columns) return false;
  if (run == 0 && tensor.shape[0] != matrix.rows) return false;
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    const std::size_t place = run == 0 ? r : first + r / run * period + r % run;
    if (std::memcmp(matrix.row(r), tensor.bytes.data() + place * bytes, bytes) != 0) return false;
  }
  return true;
}

/// The numbers of a tensor; all that tests write are exact in fp32.
std::vector<float> numbers_of(const WrittenTensor& tensor) {
  const Format format = tensor.dtype == "F16" ? Format::fp16 : tensor.dtype == "BF16" ? Format::bf16 : Format::fp32;
  const std::size_t bytes = info(format).held_bytes();
  std::vector<float> numbers;
  for (std::size_t i = 0; i < tensor.bytes.size(); i += bytes) {
    std::uint64_t bits = 0;
    for (std::size_t b = 0; b < bytes; ++b)
      bits |= std::uint64_t{static_cast<unsigned char>(tensor.bytes[i + b])} << (8 * b);
    numbers.push_back(static_cast<float>(value_of_bits(format, bits)));
  }
  return numbers;
}

void check_llama(const LanguageModel& model, WrittenModel& written, const LlamaWeights& weights) {
  CHECK(model.parameters() == written.numbers());
  CHECK(model.layers.size() == 2);
  CHECK(is_tensor(model.embedding, written["model.embed_tokens.weight"]));
  CHECK(model.final_norm.scale == numbers_of(written["model.norm.weight"]));
  CHECK(model.final_norm.bias.empty());
  if (weights.tied)
    CHECK(model.head.numbers == model.embedding.numbers);
  else
    CHECK(is_tensor(model.head, written["lm_head.weight"]));
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const DecoderLayer& layer = model.layers[i];
    const std::string prefix = fmt::format("model.layers.{}.", i);
    const auto linear = [&](const LinearWeights& read, const std::string& name, bool bias) {
      CAPTURE(name);
      CHECK(is_tensor(read.matrix, written[prefix + name + ".weight"]));
      CHECK(read.bias == (bias ? numbers_of(written[prefix + name + ".bias"]) : std::vector<float>()));
    };
    linear(layer.query, "self_attn.q_proj", weights.query_biases);
    linear(layer.key, "self_attn.k_proj", weights.query_biases);
    linear(layer.value, "self_attn.v_proj", weights.query_biases);
    linear(layer.attention_output, "self_attn.o_proj", weights.output_biases);
    linear(layer.gate, "mlp.gate_proj", weights.mlp_biases);
    linear(layer.up, "mlp.up_proj", weights.mlp_biases);
    linear(layer.down, "mlp.down_proj", weights.mlp_biases);
    CHECK(layer.before_attention.scale == numbers_of(written[prefix + "input_layernorm.weight"]));
    CHECK(layer.before_mlp.scale == numbers_of(written[prefix + "post_attention_layernorm.weight"]));
    CHECK(layer.query_norm.scale.empty() == !weights.head_norms);
    if (weights.head_norms) {
      CHECK(layer.query_norm.scale == numbers_of(written[prefix + "self_attn.q_norm.weight"]));
      CHECK(layer.key_norm.scale == numbers_of(written[prefix + "self_attn.k_norm.weight"]));
    }
  }
}

void check_llama_of(const std::string& type, const Json& more, const LlamaWeights& weights) {
  CAPTURE(type);
  CAPTURE(more.dump());
  const TemporaryFolder folder;
  WrittenModel written = llama_model(type, weights);
  written.config.update(more);
  written.add("model.layers.0.self_attn.rotary_emb.inv_freq", {3}, Format::fp32);  // not needed
  written.tensors.back().dtype = "U32";
  written.write("whole");
  written.write_shards("shards");
  written.remove("model.layers.0.self_attn.rotary_emb.inv_freq");
  for (const char* name : {"whole", "shards"}) {
    const LanguageModel model = read_language_model(name);
    CHECK(model.name == name);
    CHECK(model.type == type);
    CHECK(model.normalization == Normalization::rms);
    CHECK(model.kv_heads == 2);
    CHECK(model.storage != nullptr);
    check_llama(model, written, weights);
  }
}

/// What is said of a model that is written after `change`.
std::string refusal_after(const std::function<void(WrittenModel&)>& change, bool shards = false) {
  const TemporaryFolder folder;
  WrittenModel written = llama_model("llama");
  change(written);
  shards ? written.write_shards("m") : written.write("m");
  return model_refusal("m");
}

}  // namespace

TEST_CASE("models of the family of Llama have the biases and norms that their config says") {
  check_llama_of("llama", Json::object(), {});
  check_llama_of("llama", Json::object(), {.tied = true});
  check_llama_of("llama", {{"attention_bias", true}, {"mlp_bias", true}},
                 {.query_biases = true, .output_biases = true, .mlp_biases = true});
  check_llama_of("mistral", {{"sliding_window", nullptr}}, {});
  check_llama_of("qwen2", Json::object(), {.query_biases = true, .tied = true});
  check_llama_of("qwen3", Json::object(), {.head_norms = true});
  check_llama_of("qwen3", {{"attention_bias", true}},
                 {.query_biases = true, .output_biases = true, .head_norms = true});
}

TEST_CASE("queries, keys and values of GPT-NeoX are parts of one matrix, head by head") {
  const TemporaryFolder folder;
  WrittenModel written = neox_model();
  written.write("m");
  const LanguageModel model = read_language_model("m");
  CHECK(model.parameters() == written.numbers());
  CHECK(model.normalization == Normalization::layer);
  CHECK(model.activation == Activation::gelu);
  CHECK(model.parallel_residual);
  CHECK(model.head_dim == 8);
  CHECK(model.rotary.dimensions == 2);
  CHECK(is_tensor(model.embedding, written["gpt_neox.embed_in.weight"]));
  CHECK(is_tensor(model.head, written["embed_out.weight"]));
  CHECK(model.final_norm.bias == numbers_of(written["gpt_neox.final_layer_norm.bias"]));
  for (std::size_t i = 0; i < 2; ++i) {
    const DecoderLayer& layer = model.layers[i];
    const std::string prefix = fmt::format("gpt_neox.layers.{}.", i);
    const WrittenTensor& fused = written[prefix + "attention.query_key_value.weight"];
    const std::vector<float> biases = numbers_of(written[prefix + "attention.query_key_value.bias"]);
    std::size_t first = 0;
    for (const LinearWeights* part : {&layer.query, &layer.key, &layer.value}) {
      CHECK(part->matrix.rows == 24);
      CHECK(is_tensor(part->matrix, fused, first, 8, 24));
      REQUIRE(part->bias.size() == 24);
      for (std::size_t head = 0; head < 3; ++head)
        for (std::size_t d = 0; d < 8; ++d) CHECK(part->bias[8 * head + d] == biases[24 * head + first + d]);
      first += 8;
    }
    CHECK(is_tensor(layer.attention_output.matrix, written[prefix + "attention.dense.weight"]));
    CHECK(layer.gate.matrix.rows == 0);
    CHECK(is_tensor(layer.up.matrix, written[prefix + "mlp.dense_h_to_4h.weight"]));
    CHECK(is_tensor(layer.down.matrix, written[prefix + "mlp.dense_4h_to_h.weight"]));
    CHECK(layer.down.bias == numbers_of(written[prefix + "mlp.dense_4h_to_h.bias"]));
    CHECK(layer.before_mlp.bias == numbers_of(written[prefix + "post_attention_layernorm.bias"]));
  }
}

TEST_CASE("weights stay where they are for as long as a copy of the model lives") {
  const TemporaryFolder folder;
  WrittenModel written = llama_model("llama");
  written.write_shards("m");
  const auto copy = [] {
    const LanguageModel model = read_language_model("m");
    return LanguageModel(model);
  }();
  std::filesystem::remove_all("m");
  check_llama(copy, written, {});
}

TEST_CASE("a weight that is missing, or another one, is named with what was expected") {
  CHECK(refusal_after([](WrittenModel& m) { m.remove("model.layers.1.mlp.up_proj.weight"); }) ==
        "m/model.safetensors: no tensor model.layers.1.mlp.up_proj.weight; by config.json there is one of shape [10, "
        "12]");
  CHECK(refusal_after([](WrittenModel& m) { m.remove("model.layers.1.mlp.up_proj.weight"); }, true) ==
        "m/model.safetensors.index.json: no tensor model.layers.1.mlp.up_proj.weight; by config.json there is one of "
        "shape [10, 12]");
  CHECK(refusal_after([](WrittenModel& m) {
          m["model.norm.weight"].shape = {3, 4};
        }) == "m/model.safetensors: model.norm.weight has the shape [3, 4]; by config.json it is [12]");
  CHECK(refusal_after([](WrittenModel& m) { m.config["hidden_size"] = 8; }) ==
        "m/model.safetensors: model.embed_tokens.weight has the shape [20, 12]; by config.json it is [20, 8]");
  CHECK(refusal_after([](WrittenModel& m) {
          WrittenTensor& tensor = m["model.layers.0.mlp.down_proj.weight"];
          tensor.dtype = "F8_E4M3";
          tensor.bytes.resize(tensor.bytes.size() / 2);
        }) == "m/model.safetensors: model.layers.0.mlp.down_proj.weight is F8_E4M3; weights must be BF16, F16 or F32");
  CHECK(contains(refusal_after([](WrittenModel& m) {
                   m["model.norm.weight"].dtype = "F64";
                   m["model.norm.weight"].bytes.resize(96);
                 }),
                 "model.norm.weight is F64; weights must be BF16, F16 or F32"));
  CHECK(
      refusal_after([](WrittenModel& m) { m.remove("lm_head.weight"); }) ==
      "m/config.json: `tie_word_embeddings` is not true, and there is no tensor lm_head.weight of shape [20, 12]; say "
      "true if model.embed_tokens.weight is both");
}

TEST_CASE("a model that is not a folder, or not one of safetensors, is refused") {
  const TemporaryFolder folder;
  CHECK(
      model_refusal("absent") ==
      "absent: no such folder; a model is a folder with config.json and model.safetensors, or tiny, which is built in; "
      "`hf download NAME --local-dir FOLDER` fetches one");
  CHECK(contains(model_refusal(""), "'': no such folder"));
  TemporaryFolder::write("file", "x");
  CHECK(model_refusal("file") ==
        "file: is not a folder; a model is a folder with config.json and model.safetensors, or tiny");
  WrittenModel written = llama_model("llama");
  written.write("m");
  std::filesystem::rename("m/config.json", "config.json");
  CHECK(model_refusal("m") ==
        "m/config.json: no such file; a model is a folder with config.json and model.safetensors");
  std::filesystem::rename("config.json", "m/config.json");
  std::filesystem::remove("m/model.safetensors");
  CHECK(contains(model_refusal("m"), "m: has no model.safetensors and no model.safetensors.index.json; a model is"));
  TemporaryFolder::write("m/model.Q4_0.gguf", "GGUF");
  CHECK(contains(model_refusal("m"), "and GGUF is not read; a model is"));
  TemporaryFolder::write("m/pytorch_model.bin", "PK");
  CHECK(contains(model_refusal("m"), "m: has pickled weights, and reading a pickle runs what it says; convert them"));
  CHECK(contains(model_refusal("m"), "save_pretrained(sys.argv[2])\" FOLDER NEW_FOLDER"));
}

TEST_CASE("files of weights that cannot be mapped are refused") {
  const TemporaryFolder folder;
  llama_model("llama").write("m");
  std::filesystem::remove("m/model.safetensors");
  std::filesystem::create_directory("m/model.safetensors");
  CHECK(contains(model_refusal("m"), "m/model.safetensors: is a folder; a model is"));
  std::filesystem::remove("m/model.safetensors");
  REQUIRE(mkfifo("m/model.safetensors", 0600) == 0);
  CHECK(contains(model_refusal("m"), "m/model.safetensors: is not a regular file; a model is"));
  std::filesystem::remove("m/model.safetensors");
  TemporaryFolder::write("m/model.safetensors", "");
  CHECK(contains(model_refusal("m"), "m/model.safetensors: has 0 bytes; a safetensors file begins with 8"));
  if (::geteuid() != 0) {
    std::filesystem::permissions("m/model.safetensors", std::filesystem::perms::none);
    CHECK(contains(model_refusal("m"), "m/model.safetensors: cannot be opened: Permission denied"));
  }
}

TEST_CASE("an index names files of its own folder, which have what it says") {
  const TemporaryFolder folder;
  WrittenModel written = llama_model("llama");
  written.write_shards("m");
  const std::string index = TemporaryFolder::read("m/model.safetensors.index.json");
  const auto refusal_of = [&](const Json& replaced) {
    TemporaryFolder::write("m/model.safetensors.index.json", replaced.dump());
    return model_refusal("m");
  };
  std::filesystem::rename("m/model-00002-of-00003.safetensors", "away");
  CHECK(model_refusal("m") ==
        "m/model-00002-of-00003.safetensors: no such file; model.safetensors.index.json names it; fetch it too");
  std::filesystem::rename("away", "m/model-00002-of-00003.safetensors");
  Json wrong = Json::parse(index);
  wrong["weight_map"]["model.norm.weight"] = written.tensors[0].name == "model.norm.weight"
                                                 ? "model-00002-of-00003.safetensors"
                                                 : "model-00001-of-00003.safetensors";
  wrong["weight_map"]["model.embed_tokens.weight"] = "model-00002-of-00003.safetensors";
  CHECK(
      refusal_of(wrong) ==
      "m/model-00002-of-00003.safetensors: no tensor model.embed_tokens.weight; by the index and config.json there is "
      "one of shape [20, 12]");
  for (const char* name : {"../m/model-00002-of-00003.safetensors", "/a.safetensors", "b/a.safetensors", "a.bin",
                           ".safetensors", "a b.safetensors"}) {
    wrong["weight_map"]["model.norm.weight"] = name;
    CHECK(contains(refusal_of(wrong), "which is not the name of a safetensors file of this folder"));
  }
  wrong["weight_map"]["model.norm.weight"] = 5;
  CHECK(contains(refusal_of(wrong), "'model.norm.weight' is in '5', which is not the name"));
  CHECK(contains(refusal_of(Json::object()), "m/model.safetensors.index.json: has no `weight_map`"));
  CHECK(contains(refusal_of({{"weight_map", Json::object()}}), "has no `weight_map`"));
  CHECK(contains(refusal_of(5), "m/model.safetensors.index.json: JSON: no '{'"));
  Json many = Json::object();
  for (int i = 0; i < 1025; ++i) many[fmt::format("t{}", i)] = fmt::format("{}.safetensors", i);
  CHECK(contains(refusal_of({{"weight_map", many}}), "names 1025 files; the most are 1024"));
}
