// Longer than most files: one pass, from tokens to logits.
#include "inference/forward.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "inference/attention.hpp"
#include "inference/functions.hpp"
#include "inference/norm.hpp"
#include "inference/rank_sums.hpp"
#include "inference/rotary.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

TokenSequence::TokenSequence(const LanguageModel& model, std::size_t capacity, std::size_t place)
    : place_(place), capacity_(capacity) {
  const std::size_t heads = model.layers.size() * model.kv_heads;
  keys_.resize(heads * key_room(capacity, model.head_dim));
  values_.resize(heads * capacity * model.head_dim);
}

double TokenSequence::bytes(const LanguageModel& model, std::size_t capacity) {
  const std::size_t numbers = key_room(capacity, model.head_dim) + capacity * model.head_dim;
  return static_cast<double>(sizeof(float)) * static_cast<double>(model.layers.size() * model.kv_heads) *
         static_cast<double>(numbers);
}

namespace {

void require_finite(const LanguageModel& model, Format format, std::span<const float> numbers) {
  if (std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); })) return;
  throw Error(ErrorKind::input, model.name + ": a weight is not finite, or numbers overflow " +
                                    std::string(info(format).name) +
                                    (format == Format::fp16 ? "; give a format with more range, bf16 or fp32" : ""));
}

}  // namespace

/// What does not depend on tokens.
struct ForwardPass::Work {
  Work(const LanguageModel& model, const ServingKernels& kernels, std::size_t positions)
      : hidden_norm(kernels.norm.order, model.hidden, model.normalization, model.norm_epsilon),
        first_norm(kernels.norm.first_order, model.hidden, model.normalization, model.norm_epsilon),
        rotary(model.rotary, positions) {
    if (!model.layers.empty() && !model.layers.front().query_norm.scale.empty())
      head_norm.emplace(kernels.norm.head_order, model.head_dim, Normalization::rms, model.norm_epsilon);
  }

  Norm hidden_norm;
  Norm first_norm;
  std::optional<Norm> head_norm;
  RotaryTable rotary;
};

/// The rows of one call: a token that waits, each, and their numbers in the layers.
class ForwardPass::Call {
 public:
  Call(const LanguageModel& model, const ServingKernels& kernels, const Work& work,
       std::span<TokenSequence* const> sequences)
      : model_(model), kernels_(kernels), work_(work), sequences_(sequences) {
    for (TokenSequence* sequence : sequences)
      for (std::size_t p = sequence->done_; p < sequence->tokens_.size(); ++p) rows_.push_back({sequence, p});
    residual_.resize(count() * model.hidden);
  }

  std::vector<float> run() {
    embed();
    for (std::size_t l = 0; l < model_.layers.size(); ++l) {
      stop_point();
      const DecoderLayer& layer = model_.layers[l];
      normalize(layer.before_attention);
      const std::vector<float> attended = attention(l);
      if (model_.parallel_residual) {
        normalize(layer.before_mlp);
        added_ = mlp(layer);
        add_rounded(added_, attended);
      } else {
        added_ = attended;
        normalize(layer.before_mlp);
        added_ = mlp(layer);
      }
    }
    normalize(model_.final_norm);
    require_finite(model_, kernels_.format, normalized_);
    for (TokenSequence* sequence : sequences_) sequence->done_ = sequence->tokens_.size();
    return std::move(normalized_);
  }

 private:
  struct Row {
    TokenSequence* sequence;
    std::size_t position;
  };

  std::size_t count() const { return rows_.size(); }

  void embed() {
    for (std::size_t r = 0; r < count(); ++r) {
      const std::byte* const from = model_.embedding.row(rows_[r].sequence->tokens_[rows_[r].position]);
      for (std::size_t i = 0; i < model_.hidden; ++i)
        residual_[r * model_.hidden + i] = weight_at(from, model_.embedding.format, i);
    }
    round_to(kernels_.format, residual_);
  }

  /// Adds what the last part of the layer gave to the residual, if it has not been added, and normalizes the sum.
  void normalize(const NormWeights& weights) {
    normalized_ = residual_;
    for (std::size_t i = 0; i < added_.size(); ++i) normalized_[i] += added_[i];
    added_.clear();
    residual_ = normalized_;
    round_to(kernels_.format, residual_);
    if (kernels_.norm.residual_rounded) normalized_ = residual_;
    const bool first = &weights == &model_.layers.front().before_attention;
    (first ? work_.first_norm : work_.hidden_norm)
        .apply(normalized_.data(), count(), weights, norm_rounding(), normalized_.data());
  }

  NormRounding norm_rounding() const { return {kernels_.format, kernels_.norm.scaled_rounded}; }

  void add_rounded(std::vector<float>& to, const std::vector<float>& from) const {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    round_to(kernels_.format, to);
  }

  std::vector<float> product(const std::vector<float>& x, const LinearWeights& weights) const {
    std::vector<float> out(count() * weights.matrix.rows);
    ordered_product(x.data(), count(), weights.matrix, kernels_.format, {0, weights.matrix.columns}, kernels_.products,
                    weights.bias, out.data());
    round_to(kernels_.format, out);
    return out;
  }

  /// A product whose k is shared among the ranks. The bias is the first rank's.
  std::vector<float> reduced_product(const std::vector<float>& x, const LinearWeights& weights) const {
    const std::size_t ranks = kernels_.ranks.ranks;
    if (ranks == 1) return product(x, weights);
    const std::size_t k = weights.matrix.columns / ranks;
    const std::size_t width = weights.matrix.rows;
    std::vector<float> parts(ranks * count() * width);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      ordered_product(x.data(), count(), weights.matrix, kernels_.format, {rank * k, k}, kernels_.products,
                      rank == 0 ? std::span<const float>(weights.bias) : std::span<const float>(),
                      parts.data() + rank * count() * width);
    round_to(kernels_.format, parts);
    std::vector<float> out(count() * width);
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      const std::size_t batch = kernels_.ranks.batch;
      add_ranks(parts.data() + r * width, ranks, count() * width,
                {rows_[r].sequence->place() % batch * width, batch * width}, kernels_.ranks.algorithm, kernels_.format,
                std::span(out).subspan(r * width, width));
    });
    return out;
  }

  void normalize_heads(std::vector<float>& heads, const NormWeights& weights) const {
    if (weights.scale.empty()) return;
    work_.head_norm->apply(heads.data(), heads.size() / model_.head_dim, weights, norm_rounding(), heads.data());
  }

  void rotate(std::vector<float>& heads) const {
    const std::size_t width = heads.size() / count();
    for (std::size_t r = 0; r < count(); ++r)
      for (std::size_t h = 0; h < width; h += model_.head_dim)
        work_.rotary.rotate(rows_[r].position, std::span(heads).subspan(r * width + h, model_.head_dim),
                            kernels_.format);
  }

  HeadMemory memory(TokenSequence& sequence, std::size_t layer, std::size_t head, std::size_t keys) const {
    const std::size_t number = layer * model_.kv_heads + head;
    return {sequence.keys_.data() + number * key_room(sequence.capacity_, model_.head_dim),
            sequence.values_.data() + number * sequence.capacity_ * model_.head_dim, model_.head_dim, keys};
  }

  void remember(std::size_t layer, const std::vector<float>& keys, const std::vector<float>& values) const {
    const std::size_t dim = model_.head_dim;
    for (std::size_t r = 0; r < count(); ++r)
      for (std::size_t h = 0; h < model_.kv_heads; ++h) {
        TokenSequence& sequence = *rows_[r].sequence;
        const std::size_t number = layer * model_.kv_heads + h;
        const std::size_t from = (r * model_.kv_heads + h) * dim;
        put_key(keys.data() + from, dim, rows_[r].position,
                sequence.keys_.data() + number * key_room(sequence.capacity_, dim));
        std::copy_n(values.data() + from, dim,
                    sequence.values_.data() + (number * sequence.capacity_ + rows_[r].position) * dim);
      }
  }

  std::vector<float> attention(std::size_t number) const {
    const DecoderLayer& layer = model_.layers[number];
    const std::size_t dim = model_.head_dim;
    std::vector<float> queries = product(normalized_, layer.query);
    std::vector<float> keys = product(normalized_, layer.key);
    normalize_heads(queries, layer.query_norm);
    normalize_heads(keys, layer.key_norm);
    rotate(queries);
    rotate(keys);
    remember(number, keys, product(normalized_, layer.value));
    std::vector<float> out(queries.size());
    const std::size_t group = model_.heads / model_.kv_heads;
    const AttentionRounding rounding{kernels_.probabilities, kernels_.format};
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      stop_point();
      AttentionRoom room;
      const std::size_t seen = rows_[r].position + 1;
      const AttentionKernel kernel = kernels_.attention.kernel(seen);
      for (std::size_t h = 0; h < model_.heads; ++h) {
        const std::size_t place = (r * model_.heads + h) * dim;
        attend(queries.data() + place, memory(*rows_[r].sequence, number, h / group, seen), kernel, rounding, room,
               out.data() + place);
      }
    });
    return reduced_product(out, layer.attention_output);
  }

  float activated(float x) const {
    const auto value = static_cast<double>(x);
    constexpr double kInverseRoot2 = 0x1.6a09e667f3bcdp-1;
    constexpr double kRoot2OverPi = 0x1.9884533d43651p-1;
    constexpr double kCubic = 0.044715;
    switch (model_.activation) {
      case Activation::gelu:
        return static_cast<float>(value / 2 * (1 + fixed::erf(value * kInverseRoot2)));
      case Activation::gelu_tanh:
        return static_cast<float>(value / 2 *
                                  (1 + fixed::tanh(kRoot2OverPi * (value + kCubic * value * value * value))));
      default:
        return static_cast<float>(fixed::silu(value));
    }
  }

  void activate(std::vector<float>& numbers) const {
    const std::size_t width = numbers.size() / count();
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      const std::span<float> row = std::span(numbers).subspan(r * width, width);
      for (float& x : row) x = activated(x);
      round_to(kernels_.format, row);
    });
  }

  std::vector<float> mlp(const DecoderLayer& layer) const {
    std::vector<float> up = product(normalized_, layer.up);
    if (layer.gate.matrix.rows == 0) {
      activate(up);
      return reduced_product(up, layer.down);
    }
    std::vector<float> gate = product(normalized_, layer.gate);
    activate(gate);
    for (std::size_t i = 0; i < up.size(); ++i) gate[i] *= up[i];
    round_to(kernels_.format, gate);
    return reduced_product(gate, layer.down);
  }

  const LanguageModel& model_;
  const ServingKernels& kernels_;
  const Work& work_;
  std::span<TokenSequence* const> sequences_;
  std::vector<Row> rows_;
  std::vector<float> residual_;
  std::vector<float> added_;  ///< what is to be added to the residual; empty: nothing
  std::vector<float> normalized_;
};

ForwardPass::ForwardPass(const LanguageModel& model, const ServingKernels& kernels, std::size_t positions)
    : model_(model), kernels_(kernels), work_(std::make_unique<const Work>(model, kernels, positions)) {}

ForwardPass::~ForwardPass() = default;

std::vector<float> ForwardPass::hidden_states(std::span<TokenSequence* const> sequences) const {
  return Call(model_, kernels_, *work_, sequences).run();
}

std::vector<float> logits_of(const LanguageModel& model, const ServingKernels& kernels, std::span<const float> hidden) {
  const std::size_t rows = hidden.size() / model.hidden;
  std::vector<float> out(rows * model.vocabulary);
  ordered_product(hidden.data(), rows, model.head, kernels.format, {0, model.hidden}, kernels.products, {}, out.data());
  round_to(kernels.format, out);
  require_finite(model, kernels.format, out);
  return out;
}

}  // namespace orderlab
