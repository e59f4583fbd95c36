// Small models with drawn weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inference/drawn_numbers.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab::testing {

/// Weights of fp32, of a model of 32 tokens.
class DrawnModel {
 public:
  explicit DrawnModel(std::uint64_t seed, Normalization normalization = Normalization::rms) : seed_(seed << 32) {
    model_.name = "drawn";
    model_.type = "llama";
    model_.vocabulary = 32;
    model_.hidden = 24;
    model_.intermediate = 40;
    model_.heads = 4;
    model_.kv_heads = 2;
    model_.head_dim = 6;
    model_.positions = 64;
    model_.normalization = normalization;
    model_.rotary.dimensions = normalization == Normalization::rms ? 6 : 4;
    model_.parallel_residual = normalization == Normalization::layer;
    model_.activation = normalization == Normalization::rms ? Activation::silu : Activation::gelu;
    for (int l = 0; l < 2; ++l) model_.layers.push_back(layer());
    model_.final_norm = norm(model_.hidden);
    model_.embedding = matrix(model_.vocabulary, model_.hidden);
    model_.head = matrix(model_.vocabulary, model_.hidden);
    model_.storage = weights_;
  }

  const LanguageModel& model() const { return model_; }

 private:
  DecoderLayer layer() {
    DecoderLayer layer;
    layer.before_attention = norm(model_.hidden);
    layer.before_mlp = norm(model_.hidden);
    const std::size_t width = model_.heads * model_.head_dim;
    const std::size_t kv_width = model_.kv_heads * model_.head_dim;
    layer.query = {matrix(width, model_.hidden), numbers(width)};
    layer.key = {matrix(kv_width, model_.hidden), {}};
    layer.value = {matrix(kv_width, model_.hidden), {}};
    layer.attention_output = {matrix(model_.hidden, width), numbers(model_.hidden)};
    layer.up = {matrix(model_.intermediate, model_.hidden), {}};
    if (model_.normalization == Normalization::rms) {
      layer.query_norm = norm(model_.head_dim);
      layer.key_norm = norm(model_.head_dim);
      layer.gate = {matrix(model_.intermediate, model_.hidden), {}};
    }
    layer.down = {matrix(model_.hidden, model_.intermediate), {}};
    return layer;
  }

  std::vector<float> numbers(std::size_t count) { return drawn_numbers(count, seed_++, Format::fp32, "normal(0,0.3)"); }

  NormWeights norm(std::size_t width) {
    NormWeights weights{numbers(width), {}};
    for (float& x : weights.scale) x += 1;
    if (model_.normalization == Normalization::layer) weights.bias = numbers(width);
    return weights;
  }

  WeightMatrix matrix(std::size_t rows, std::size_t columns) {
    weights_->push_back(numbers(rows * columns));
    return {.format = Format::fp32,
            .rows = rows,
            .columns = columns,
            .numbers = std::as_bytes(std::span(weights_->back())).data()};
  }

  std::uint64_t seed_;  ///< of the next numbers
  std::shared_ptr<std::vector<std::vector<float>>> weights_ = std::make_shared<std::vector<std::vector<float>>>();
  LanguageModel model_;
};

}  // namespace orderlab::testing
