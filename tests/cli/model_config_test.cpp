// config.json of models: what absent values mean, and what is not supported.
#include "cli/model_config.hpp"

#include <doctest/doctest.h>

#include <string>

#include "cli/model_files.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

ModelConfig config_after(const std::string& type, const Json& more) {
  Json config = type == "gpt_neox" ? neox_model().config : llama_model(type).config;
  config.update(more);
  return parse_model_config(config.dump(), "c");
}

std::string config_refusal(const std::string& type, const Json& more) {
  CAPTURE(more.dump());
  const std::string message = message_of(ErrorKind::input, [&] { (void)config_after(type, more); });
  CHECK(message.starts_with("c: "));
  return message.substr(std::min<std::size_t>(3, message.size()));
}

Json llama3(const std::string& type_key) {
  return {{type_key, "llama3"},
          {"factor", 32.0},
          {"low_freq_factor", 1.0},
          {"high_freq_factor", 4.0},
          {"original_max_position_embeddings", 8192}};
}

}  // namespace

TEST_CASE("sizes of a config are those of the model") {
  const ModelConfig config = config_after("llama", Json::object());
  CHECK(config.file == "c");
  const LanguageModel& model = config.model;
  CHECK(model.type == "llama");
  CHECK(model.vocabulary == 20);
  CHECK(model.hidden == 12);
  CHECK(model.intermediate == 10);
  CHECK(model.heads == 4);
  CHECK(model.kv_heads == 2);
  CHECK(model.head_dim == 6);
  CHECK(model.positions == 512);
  CHECK(model.layers.size() == 2);
  CHECK(model.norm_epsilon == 1e-6);
  CHECK(model.activation == Activation::silu);
  CHECK_FALSE(model.parallel_residual);
  CHECK(model.rotary.dimensions == 6);
  CHECK(model.rotary.theta == 10000);
  CHECK_FALSE(model.rotary.scaling);
  CHECK_FALSE(config.tied);
}

TEST_CASE("what is absent, or null, is what transformers takes for it") {
  const auto without = [](const std::string& type, const std::string& key) {
    Json json = type == "gpt_neox" ? neox_model().config : llama_model(type).config;
    if (type == "llama") json["hidden_size"] = 16;
    json.erase(key);
    return parse_model_config(json.dump(), "c").model;
  };
  CHECK(without("llama", "num_key_value_heads").kv_heads == 4);
  CHECK(without("llama", "head_dim").head_dim == 4);
  CHECK(config_after("llama", {{"head_dim", nullptr}, {"num_attention_heads", 6}}).model.head_dim == 2);
  CHECK(without("qwen3", "head_dim").head_dim == 128);
  CHECK(without("llama", "max_position_embeddings").positions == 2048);
  CHECK(config_after("mistral", {{"sliding_window", nullptr}, {"num_key_value_heads", nullptr}}).model.kv_heads == 4);
  CHECK(config_after("gpt_neox", {{"use_parallel_residual", false}}).model.parallel_residual == false);
  CHECK(without("gpt_neox", "use_parallel_residual").parallel_residual);
  CHECK(without("gpt_neox", "rotary_pct").rotary.dimensions == 2);
  CHECK(without("gpt_neox", "hidden_act").activation == Activation::gelu);
  CHECK(config_after("gpt_neox", {{"attention_bias", false}}).query_biases == false);
  CHECK(config_after("gpt_neox", {{"num_key_value_heads", 1}}).model.kv_heads == 3);
}

TEST_CASE("activations by their names") {
  for (const char* name : {"gelu_new", "gelu_fast", "gelu_pytorch_tanh"})
    CHECK(config_after("gpt_neox", {{"hidden_act", name}}).model.activation == Activation::gelu_tanh);
  CHECK(config_after("llama", {{"hidden_act", "gelu"}}).model.activation == Activation::gelu);
  CHECK(config_refusal("llama", {{"hidden_act", "relu"}}) ==
        "`hidden_act` is 'relu'; supported are silu, gelu, gelu_new, gelu_fast and gelu_pytorch_tanh");
}

TEST_CASE("rotary embeddings are read where older and newer files have them") {
  CHECK(config_after("llama", {{"rope_theta", 500000}}).model.rotary.theta == 500000);
  CHECK(config_after("gpt_neox", {{"rotary_emb_base", 500}}).model.rotary.theta == 500);
  CHECK(config_after("gpt_neox", {{"rotary_pct", 1.0}}).model.rotary.dimensions == 8);
  for (const char* place : {"rope_scaling", "rope_parameters"})
    for (const char* type_key : {"type", "rope_type"}) {
      const auto rotary = config_after("llama", {{place, llama3(type_key)}}).model.rotary;
      REQUIRE(rotary.scaling);
      CHECK(rotary.scaling->factor == 32);
      CHECK(rotary.scaling->low_frequency_factor == 1);
      CHECK(rotary.scaling->high_frequency_factor == 4);
      CHECK(rotary.scaling->original_positions == 8192);
    }
  const Json newer{{"rope_type", "default"}, {"rope_theta", 7}, {"partial_rotary_factor", 0.5}};
  const auto rotary = config_after("gpt_neox", {{"rope_parameters", newer}}).model.rotary;
  CHECK(rotary.theta == 7);
  CHECK(rotary.dimensions == 4);
  CHECK_FALSE(rotary.scaling);
  for (const char* kind : {"yarn", "dynamic", "linear", "longrope"})
    CHECK(config_refusal("llama", {{"rope_scaling", {{"type", kind}, {"factor", 2}}}}) ==
          fmt::format("rotary embeddings are of type '{}'; supported are default and llama3", kind));
  CHECK(contains(config_refusal("llama", {{"rope_scaling", 5}}), "`rope_scaling` is '5'; an object is needed"));
  Json part = llama3("type");
  part.erase("factor");
  CHECK(config_refusal("llama", {{"rope_scaling", part}}) == "`factor` is missing; a positive number is needed");
  Json equal = llama3("type");
  equal["low_freq_factor"] = 4;
  CHECK(contains(config_refusal("llama", {{"rope_scaling", equal}}), "the latter must be greater"));
  CHECK(contains(config_refusal("llama", {{"rope_parameters", {{"full_attention", Json::object()}}}}),
                 "by type of layer"));
  CHECK(contains(config_refusal("llama", {{"partial_rotary_factor", 0.5}}), "for this model type all are supported"));
  CHECK(contains(config_refusal("gpt_neox", {{"rotary_pct", 1.5}}), "at most all are supported"));
  CHECK(contains(config_refusal("gpt_neox", {{"rotary_pct", 0.01}}), "0 of 8 numbers of a head are rotated; an even"));
  CHECK(contains(config_refusal("llama", {{"head_dim", 5}}), "5 of 5 numbers"));
}

TEST_CASE("sliding windows are refused where they are shorter than the sequences") {
  const std::string refused =
      "a sliding window of 100 tokens is shorter than the 512 of `max_position_embeddings`; only attention to all "
      "tokens "
      "is supported: set `max_position_embeddings` to 100 for sequences that the window holds";
  CHECK(config_refusal("mistral", {{"sliding_window", 100}}) == refused);
  CHECK(config_after("mistral", {{"sliding_window", 512}}).model.positions == 512);
  CHECK(contains(config_refusal("mistral", {{"sliding_window", 511}}), "a sliding window of 511 tokens is shorter"));
  CHECK(config_after("mistral", {{"sliding_window", nullptr}, {"max_position_embeddings", 5000}}).model.positions ==
        5000);
  CHECK(contains(config_refusal("mistral", {{"max_position_embeddings", 5000}}), "a sliding window of 4096 tokens"));
  for (const char* type : {"qwen2", "qwen3"}) {
    CHECK(config_after(type, {{"sliding_window", 100}}).model.positions == 512);
    CHECK(config_after(type, {{"sliding_window", 100}, {"use_sliding_window", true}}).model.positions == 512);
    const Json slides{{"sliding_window", 100}, {"use_sliding_window", true}, {"max_window_layers", 1}};
    CHECK(config_refusal(type, slides) == refused);
  }
  const Json kinds = Json::array({"full_attention", "sliding_attention"});
  CHECK(config_refusal("qwen3", {{"sliding_window", 100}, {"layer_types", kinds}}) == refused);
  CHECK(config_after("qwen3", {{"layer_types", Json::array({"full_attention"})}}).model.positions == 512);
  CHECK(config_refusal("qwen3", {{"layer_types", Json::array({"linear_attention"})}}) ==
        "`layer_types` has 'linear_attention'; layers of full_attention are supported");
  CHECK(config_refusal("qwen3", {{"layer_types", 3}}) == "`layer_types` is not a list");
}

TEST_CASE("models that are not supported are refused by what they are") {
  CHECK(config_refusal("mamba", Json::object()) ==
        "`model_type` is 'mamba'; supported are llama, mistral, qwen2, qwen3 and gpt_neox");
  CHECK(contains(config_refusal("llama", {{"model_type", nullptr}}), "`model_type` is missing; supported are llama,"));
  CHECK(config_refusal("llama", {{"quantization_config", {{"quant_method", "fp8"}}}}) ==
        "`quantization_config` is there ('fp8'); weights must be BF16, F16 or F32, not quantized");
  CHECK(contains(config_refusal("llama", {{"quantization_config", {{"bits", 4}}}}), "('null')"));
  CHECK(config_refusal("qwen3", {{"num_experts", 8}}) ==
        "`num_experts` is '8'; models with a mixture of experts are not supported, dense ones are");
}

TEST_CASE("values of other kinds, and sizes out of bounds, are refused") {
  CHECK(config_refusal("llama", {{"hidden_size", nullptr}}) ==
        "`hidden_size` is missing; a count from 1 to 1048576 is needed");
  CHECK(config_refusal("mistral", {{"max_position_embeddings", nullptr}}) ==
        "`max_position_embeddings` is missing; a count from 1 to 1073741824 is needed");
  for (const char* key : {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                          "num_key_value_heads", "head_dim", "max_position_embeddings"})
    for (const Json& value : {Json(0), Json(-1), Json(1.5), Json("7"), Json(std::uint64_t{1} << 63), Json::array()})
      CHECK(contains(config_refusal("llama", {{key, value}}), fmt::format("`{}` is '", key)));
  CHECK(config_refusal("llama", {{"num_key_value_heads", 3}}) ==
        "`num_attention_heads` 4 is not a multiple of `num_key_value_heads` 3");
  CHECK(config_refusal("llama", {{"head_dim", nullptr}, {"num_attention_heads", 8}, {"num_key_value_heads", 8}}) ==
        "`hidden_size` 12 is not a multiple of `num_attention_heads` 8");
  CHECK(contains(config_refusal("llama", {{"rms_norm_eps", 0}}), "`rms_norm_eps` is '0'; a positive number is needed"));
  CHECK(config_refusal("llama", {{"rope_theta", 1e-300}}) == "`rope_theta` is 1e-300; it must be from 1 to 1e12");
  CHECK(contains(config_refusal("llama", {{"rope_theta", "a"}}), "`rope_theta` is 'a'; a positive number"));
  CHECK(contains(config_refusal("llama", {{"tie_word_embeddings", 1}}), "`tie_word_embeddings` is '1'; true or false"));
  CHECK(contains(config_refusal("llama", {{"hidden_act", 1}}), "`hidden_act` is '1'; a text is needed"));
  CHECK(contains(message_of(ErrorKind::input, [] { (void)parse_model_config("[]", "c"); }), "c: no JSON object"));
  CHECK(contains(message_of(ErrorKind::input, [] { (void)parse_model_config("{", "c"); }), "c: JSON: "));
}
