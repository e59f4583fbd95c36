// One table of model types; what an absent value means there is what the library transformers takes for it.
#include "cli/model_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "config/json.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr std::size_t kMostHidden = std::size_t{1} << 20;  // 60 times the largest model's
constexpr std::size_t kMostIntermediate = std::size_t{1} << 22;
constexpr std::size_t kMostLayers = 4096;
constexpr std::size_t kMostHeads = std::size_t{1} << 14;
constexpr std::size_t kMostHeadDim = std::size_t{1} << 16;
constexpr std::size_t kMostVocabulary = std::size_t{1} << 24;
constexpr std::size_t kMostPositions = std::size_t{1} << 30;

/// A model type.
struct ModelType {
  std::string_view name;
  bool neox = false;
  bool biases_optional = false;  ///< `attention_bias` says whether there are biases
  bool query_biases = false;     ///< there are, of queries, keys and values alone
  bool head_norms = false;
  std::optional<std::size_t> positions = {};  ///< where the config does not say
  bool kv_heads_optional = false;
  std::optional<std::size_t> head_dim = {};
};
constexpr ModelType kModelTypes[] = {
    {.name = "llama", .biases_optional = true, .positions = 2048, .kv_heads_optional = true},
    {.name = "mistral"},
    {.name = "qwen2", .query_biases = true},
    {.name = "qwen3", .biases_optional = true, .head_norms = true, .head_dim = 128},
    {.name = "gpt_neox", .neox = true, .biases_optional = true, .positions = 2048, .kv_heads_optional = true},
};

[[noreturn]] void refuse_config(const std::string& problem) { throw Error(ErrorKind::input, problem); }

/// "null", "true", "[1, 2]", cut where it is long.
std::string value_text(const Json& value) { return in_quotes(value.is_text() ? value.text() : value.dump()); }

/// Members of an object, each of the kind that is asked for. An absent one and null are the same unless it matters.
class ConfigObject {
 public:
  explicit ConfigObject(const Json& object) : object_(object) {}

  bool contains(std::string_view key) const { return object_.contains(key); }
  const Json& operator[](std::string_view key) const { return object_[key]; }

  std::size_t count(std::string_view key, std::size_t most, std::optional<std::size_t> absent = std::nullopt) const {
    const Json& value = object_[key];
    if (value.is_null() && absent) return *absent;
    if (value.is_null()) refuse_config(fmt::format("`{}` is missing; a count from 1 to {} is needed", key, most));
    if (!value.is_count() || value.count() < 1 || value.count() > most)
      refuse_config(fmt::format("`{}` is {}; a count from 1 to {} is needed", key, value_text(value), most));
    return static_cast<std::size_t>(value.count());
  }

  double positive(std::string_view key, std::optional<double> absent = std::nullopt) const {
    const Json& value = object_[key];
    if (value.is_null() && absent) return *absent;
    if (value.is_null()) refuse_config(fmt::format("`{}` is missing; a positive number is needed", key));
    if (!value.is_number() || !(value.number() > 0) || !std::isfinite(value.number()))
      refuse_config(fmt::format("`{}` is {}; a positive number is needed", key, value_text(value)));
    return value.number();
  }

  bool truth(std::string_view key, bool absent) const {
    const Json& value = object_[key];
    if (value.is_null()) return absent;
    if (value != Json(true) && value != Json(false))
      refuse_config(fmt::format("`{}` is {}; true or false is needed", key, value_text(value)));
    return value == Json(true);
  }

  std::string text(std::string_view key, std::string_view absent) const {
    const Json& value = object_[key];
    if (value.is_null()) return std::string(absent);
    if (!value.is_text()) refuse_config(fmt::format("`{}` is {}; a text is needed", key, value_text(value)));
    return value.text();
  }

 private:
  const Json& object_;
};

const ModelType& model_type_of(const ConfigObject& config) {
  const std::string name = config.text("model_type", "");
  if (name.empty()) refuse_config("`model_type` is missing; supported are " + known_model_types());
  const auto* const type = std::find_if(std::begin(kModelTypes), std::end(kModelTypes),
                                        [&](const ModelType& known) { return known.name == name; });
  if (type == std::end(kModelTypes))
    refuse_config(fmt::format("`model_type` is {}; supported are {}", in_quotes(name), known_model_types()));
  return *type;
}

void require_plain_weights(const ConfigObject& config) {
  const Json& quantization = config["quantization_config"];
  if (!quantization.is_null()) {
    const Json& method = quantization.is_object() ? quantization["quant_method"] : quantization;
    refuse_config(fmt::format("`quantization_config` is there ({}); weights must be BF16, F16 or F32, not quantized",
                              value_text(method)));
  }
  for (const char* key : {"num_experts", "num_local_experts", "n_routed_experts"}) {
    const Json& experts = config[key];
    if (!experts.is_null() && experts != Json(0))
      refuse_config(fmt::format("`{}` is {}; models with a mixture of experts are not supported, dense ones are", key,
                                value_text(experts)));
  }
}

Activation activation_of(const ConfigObject& config, bool neox) {
  const std::string name = config.text("hidden_act", neox ? "gelu" : "silu");
  if (name == "silu" || name == "swish") return Activation::silu;
  if (name == "gelu") return Activation::gelu;
  if (name == "gelu_new" || name == "gelu_fast" || name == "gelu_pytorch_tanh") return Activation::gelu_tanh;
  refuse_config(fmt::format("`hidden_act` is {}; supported are silu, gelu, gelu_new, gelu_fast and gelu_pytorch_tanh",
                            in_quotes(name)));
}

/// Refuses a window in which tokens do not see all tokens before them, for sequences as long as the model takes.
void require_whole_attention(const ConfigObject& config, const ModelType& type, std::size_t positions,
                             std::size_t layers) {
  constexpr std::size_t kUsualWindow = 4096;
  constexpr std::size_t kUsualWindowLayers = 28;  // layers below this one attend to all tokens
  bool slides = type.name == "mistral";
  if (type.name == "qwen2" || type.name == "qwen3")
    slides = config.truth("use_sliding_window", false) &&
             config.count("max_window_layers", kMostLayers, kUsualWindowLayers) < layers;
  if (const Json& kinds = config["layer_types"]; !kinds.is_null()) {
    if (!kinds.is_array()) refuse_config("`layer_types` is not a list");
    slides = false;
    for (const Json& kind : kinds) {
      if (kind != "full_attention" && kind != "sliding_attention")
        refuse_config(fmt::format("`layer_types` has {}; layers of full_attention are supported", value_text(kind)));
      slides = slides || kind == "sliding_attention";
    }
  }
  const bool whole = config.contains("sliding_window") && config["sliding_window"].is_null();
  if (!slides || whole) return;
  const std::size_t window = config.count("sliding_window", kMostPositions, kUsualWindow);
  if (window < positions)
    refuse_config(
        fmt::format("a sliding window of {0} tokens is shorter than the {1} of `max_position_embeddings`; only "
                    "attention to all tokens is supported: set `max_position_embeddings` to {0} for sequences "
                    "that the window holds",
                    window, positions));
}

RotaryScaling llama3_scaling(const ConfigObject& given) {
  const RotaryScaling scaling{
      .factor = given.positive("factor"),
      .low_frequency_factor = given.positive("low_freq_factor"),
      .high_frequency_factor = given.positive("high_freq_factor"),
      .original_positions = given.positive("original_max_position_embeddings"),
  };
  if (!(scaling.factor >= 1 && scaling.factor <= 1e6))
    refuse_config(fmt::format("`factor` of the rotary embeddings is {}; it must be from 1 to 1e6", scaling.factor));
  if (!(scaling.low_frequency_factor < scaling.high_frequency_factor))
    refuse_config(fmt::format("`low_freq_factor` is {} and `high_freq_factor` {}; the latter must be greater",
                              scaling.low_frequency_factor, scaling.high_frequency_factor));
  return scaling;
}

RotaryEmbedding rotary_of(const ConfigObject& config, bool neox, std::size_t head_dim) {
  const bool newer = config["rope_parameters"].is_object();
  const Json& given = newer ? config["rope_parameters"] : config["rope_scaling"];
  if (!given.is_null() && !given.is_object())
    refuse_config(fmt::format("`rope_scaling` is {}; an object is needed", value_text(given)));
  const ConfigObject parameters(given);
  const std::string kind = parameters.text("rope_type", parameters.text("type", "default"));
  if (kind != "default" && kind != "llama3")
    refuse_config(fmt::format("rotary embeddings are of type {}; supported are default and llama3", in_quotes(kind)));
  if (parameters.contains("full_attention") || parameters.contains("sliding_attention"))
    refuse_config("`rope_parameters` differ by type of layer; supported are the same ones for all");

  constexpr double kUsualTheta = 10000;
  RotaryEmbedding rotary;
  rotary.theta = parameters.positive(
      "rope_theta",
      config.positive("rope_theta", neox ? config.positive("rotary_emb_base", kUsualTheta) : kUsualTheta));
  if (!(rotary.theta >= 1 && rotary.theta <= 1e12))
    refuse_config(fmt::format("`rope_theta` is {}; it must be from 1 to 1e12", rotary.theta));
  const double part = parameters.positive(
      "partial_rotary_factor", config.positive(neox ? "rotary_pct" : "partial_rotary_factor", neox ? 0.25 : 1));
  if (part > 1 || (!neox && part != 1))
    refuse_config(fmt::format("{} of each head's numbers are rotated; {} supported", part,
                              neox ? "at most all are" : "for this model type all are"));
  rotary.dimensions = static_cast<std::size_t>(static_cast<double>(head_dim) * part);
  if (rotary.dimensions == 0 || rotary.dimensions % 2 != 0)
    refuse_config(
        fmt::format("{} of {} numbers of a head are rotated; an even count is needed", rotary.dimensions, head_dim));
  if (kind == "llama3") rotary.scaling = llama3_scaling(parameters);
  return rotary;
}

std::size_t head_dim_of(const ConfigObject& config, const ModelType& type, std::size_t hidden, std::size_t heads) {
  if (!config.contains("head_dim") && type.head_dim) return *type.head_dim;
  if (!type.neox && !config["head_dim"].is_null()) return config.count("head_dim", kMostHeadDim);
  if (hidden % heads != 0)
    refuse_config(fmt::format("`hidden_size` {} is not a multiple of `num_attention_heads` {}", hidden, heads));
  return hidden / heads;
}

void take_sizes(const ConfigObject& config, const ModelType& type, LanguageModel& model) {
  model.vocabulary = config.count("vocab_size", kMostVocabulary);
  model.hidden = config.count("hidden_size", kMostHidden);
  model.intermediate = config.count("intermediate_size", kMostIntermediate);
  model.heads = config.count("num_attention_heads", kMostHeads);
  model.kv_heads = model.heads;
  if (!type.neox &&
      !(config["num_key_value_heads"].is_null() && (type.kv_heads_optional || config.contains("num_key_value_heads"))))
    model.kv_heads = config.count("num_key_value_heads", kMostHeads);
  if (model.heads % model.kv_heads != 0)
    refuse_config(fmt::format("`num_attention_heads` {} is not a multiple of `num_key_value_heads` {}", model.heads,
                              model.kv_heads));
  model.head_dim = head_dim_of(config, type, model.hidden, model.heads);
  model.positions = config.count("max_position_embeddings", kMostPositions, type.positions);
  model.layers.resize(config.count("num_hidden_layers", kMostLayers));
}

ModelConfig config_of(const ConfigObject& config) {
  const ModelType& type = model_type_of(config);
  require_plain_weights(config);
  ModelConfig read;
  LanguageModel& model = read.model;
  model.type = type.name;
  take_sizes(config, type, model);
  require_whole_attention(config, type, model.positions, model.layers.size());
  model.normalization = type.neox ? Normalization::layer : Normalization::rms;
  model.norm_epsilon = type.neox ? config.positive("layer_norm_eps", 1e-5) : config.positive("rms_norm_eps", 1e-6);
  model.activation = activation_of(config, type.neox);
  model.parallel_residual = type.neox && config.truth("use_parallel_residual", true);
  model.rotary = rotary_of(config, type.neox, model.head_dim);
  read.tied = config.truth("tie_word_embeddings", false);
  read.head_norms = type.head_norms;
  read.output_biases = type.biases_optional && config.truth("attention_bias", type.neox);
  read.query_biases = type.query_biases || read.output_biases;
  read.mlp_biases = type.neox || (type.name == "llama" && config.truth("mlp_bias", false));
  read.neox = type.neox;
  return read;
}

}  // namespace

std::string known_model_types() {
  std::vector<std::string> names;
  for (const ModelType& type : kModelTypes) names.emplace_back(type.name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

ModelConfig parse_model_config(std::string_view text, const std::string& file) {
  try {
    const Json json = Json::parse(text);
    if (!json.is_object()) refuse_config("no JSON object, such as transformers saves beside a model");
    ModelConfig config = config_of(ConfigObject(json));
    config.file = file;
    return config;
  } catch (const Error& error) {
    throw Error(ErrorKind::input, file + ": " + error.what());
  }
}

}  // namespace orderlab::cli
