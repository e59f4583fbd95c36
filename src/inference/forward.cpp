// Longer than most files: one pass, from tokens to logits.
#include "inference/forward.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <string>

#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "inference/attention.hpp"
#include "inference/functions.hpp"
#include "inference/narrow_floats.hpp"
#include "inference/rank_sums.hpp"
#include "inference/rotary.hpp"
#include "inference/step_kernels.hpp"
#include "order/counts.hpp"
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

/// The matrix products of a layer.
enum class Product : std::uint8_t { query, key, value, attention_output, gate, up, down };

const LinearWeights& weights_of(const DecoderLayer& layer, Product product) {
  const LinearWeights* const all[] = {&layer.query, &layer.key, &layer.value, &layer.attention_output,
                                      &layer.gate,  &layer.up,  &layer.down};
  return *all[static_cast<std::size_t>(product)];
}

/// The number of the head's product, which is none of a layer's.
constexpr std::uint64_t kHeadProduct = (1 << 16) - 2;

}  // namespace

/// What does not depend on tokens.
struct ForwardPass::Work {
  Work(const LanguageModel& model, const ServingKernels& kernels, const ServingDraws* draws, std::size_t positions)
      : rotary(model.rotary, positions) {
    if (draws != nullptr)
      for (const ServingKernels& of_batch : draws->batches) steps.emplace_back(model, of_batch, positions);
    if (steps.empty()) steps.emplace_back(model, kernels, positions);
  }

  std::deque<StepKernels> steps;  ///< several: drawn
  RotaryTable rotary;
};

/// The rows of one call: a token that waits, each, and their numbers in the layers.
class ForwardPass::Call {
 public:
  Call(const LanguageModel& model, const ServingKernels& kernels, const Work& work, const ServingDraws* draws,
       std::span<TokenSequence* const> sequences)
      : model_(model), kernels_(kernels), work_(work), sequences_(sequences) {
    for (TokenSequence* sequence : sequences)
      for (std::size_t p = sequence->done_; p < sequence->tokens_.size(); ++p) {
        if (draws != nullptr) draws_.push_back(draws->of(sequence->place(), p));
        const std::size_t step = work.steps.size() > 1 ? draws_.back().batch(work.steps.size()) : 0;
        rows_.push_back({sequence, p, &work.steps[step]});
      }
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
        added_ = mlp(l);
        add_rounded(added_, attended);
      } else {
        added_ = attended;
        normalize(layer.before_mlp);
        added_ = mlp(l);
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
    const StepKernels* step;
  };

  std::size_t count() const { return rows_.size(); }

  void embed() {
    for (std::size_t r = 0; r < count(); ++r) {
      const std::uint32_t token = rows_[r].sequence->tokens_[rows_[r].position];
      read_numbers(model_.embedding.row(token), model_.embedding.format,
                   std::span(residual_).subspan(r * model_.hidden, model_.hidden));
    }
    round_to(kernels_.format, residual_);
  }

  /// Adds what the last part of the layer gave to the residual, if it has not been added, and normalizes the sum.
  void normalize(const NormWeights& weights) {
    const std::size_t width = model_.hidden;
    const bool first = &weights == &model_.layers.front().before_attention;
    normalized_ = residual_;
    for_rows_of_a_step([&](const StepKernels& step, std::size_t begin, std::size_t rows) {
      const std::span<float> sums = std::span(normalized_).subspan(begin * width, rows * width);
      const std::span<float> residual = std::span(residual_).subspan(begin * width, rows * width);
      if (!added_.empty())
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += added_[begin * width + i];
      std::copy(sums.begin(), sums.end(), residual.begin());
      round_to(kernels_.format, residual);
      if (step.norm.residual_rounded) std::copy(residual.begin(), residual.end(), sums.begin());
      (first ? step.first_norm : step.hidden_norm)
          .apply(sums.data(), rows, weights, {kernels_.format, step.norm.scaled_rounded}, sums.data());
    });
    added_.clear();
  }

  /// Calls use(step, first row, how many) for all rows; rows of one call have one step.
  template <class Use>
  void for_rows_of_a_step(Use use) const {
    constexpr std::size_t kRows = 32;
    parallel_for(0, ceil_div(count(), kRows), Grain::joined, [&](std::uint64_t part) {
      stop_point();
      const std::size_t end = std::min(count(), (part + 1) * kRows);
      for (std::size_t begin = part * kRows; begin < end;) {
        std::size_t next = begin + 1;
        while (next < end && rows_[next].step == rows_[begin].step) ++next;
        use(*rows_[begin].step, begin, next - begin);
        begin = next;
      }
    });
  }

  void add_rounded(std::vector<float>& to, const std::vector<float>& from) const {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    round_to(kernels_.format, to);
  }

  /// Products of the model by their numbers, those of ranks apart.
  ProductDraws draws_of(std::size_t layer, Product product, std::size_t rank) const {
    constexpr std::size_t kEach = static_cast<std::size_t>(Product::down) + 1;
    return {draws_, (layer * kEach + static_cast<std::size_t>(product)) * kernels_.ranks.ranks + rank};
  }

  void multiply(const std::vector<float>& x, const LinearWeights& weights, ProductRange range,
                std::span<const float> bias, const ProductDraws& draws, std::span<float> out) const {
    ordered_product(x.data(), count(), weights.matrix, kernels_.format, range, kernels_.products, bias, out.data(),
                    draws_.empty() ? nullptr : &draws);
    const std::size_t width = weights.matrix.rows;
    parallel_for(0, count(), Grain::joined,
                 [&](std::uint64_t r) { round_to(kernels_.format, out.subspan(r * width, width)); });
  }

  std::vector<float> product(const std::vector<float>& x, std::size_t layer, Product product) const {
    const LinearWeights& weights = weights_of(model_.layers[layer], product);
    std::vector<float> out(count() * weights.matrix.rows);
    multiply(x, weights, {0, weights.matrix.columns}, weights.bias, draws_of(layer, product, 0), out);
    return out;
  }

  /// A product whose k is shared among the ranks. The bias is the first rank's.
  std::vector<float> reduced_product(const std::vector<float>& x, std::size_t layer, Product which) const {
    const LinearWeights& weights = weights_of(model_.layers[layer], which);
    const std::size_t ranks = kernels_.ranks.ranks;
    if (ranks == 1) return product(x, layer, which);
    const std::size_t k = weights.matrix.columns / ranks;
    const std::size_t width = weights.matrix.rows;
    std::vector<float> parts(ranks * count() * width);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      multiply(x, weights, {rank * k, k}, rank == 0 ? std::span<const float>(weights.bias) : std::span<const float>(),
               draws_of(layer, which, rank), std::span(parts).subspan(rank * count() * width, count() * width));
    std::vector<float> out(count() * width);
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      const RankReduction& reduction = rows_[r].step->ranks;
      const std::size_t batch = reduction.batch;
      add_ranks(parts.data() + r * width, ranks, count() * width,
                {rows_[r].sequence->place() % batch * width, batch * width}, reduction.algorithm, kernels_.format,
                std::span(out).subspan(r * width, width));
    });
    return out;
  }

  void normalize_heads(std::vector<float>& heads, const NormWeights& weights) const {
    if (weights.scale.empty()) return;
    const std::size_t width = heads.size() / count();
    for_rows_of_a_step([&](const StepKernels& step, std::size_t begin, std::size_t rows) {
      float* const some = heads.data() + begin * width;
      step.head_norm->apply(some, rows * width / model_.head_dim, weights, {kernels_.format, step.norm.scaled_rounded},
                            some);
    });
  }

  void rotate(std::vector<float>& heads) const {
    const std::size_t width = heads.size() / count();
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      for (std::size_t h = 0; h < width; h += model_.head_dim)
        work_.rotary.rotate(rows_[r].position, std::span(heads).subspan(r * width + h, model_.head_dim),
                            kernels_.format);
    });
  }

  HeadMemory memory(TokenSequence& sequence, std::size_t layer, std::size_t head, std::size_t keys) const {
    const std::size_t number = layer * model_.kv_heads + head;
    return {sequence.keys_.data() + number * key_room(sequence.capacity_, model_.head_dim),
            sequence.values_.data() + number * sequence.capacity_ * model_.head_dim, model_.head_dim, keys};
  }

  void remember(std::size_t layer, const std::vector<float>& keys, const std::vector<float>& values) const {
    const std::size_t dim = model_.head_dim;
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      for (std::size_t h = 0; h < model_.kv_heads; ++h) {
        TokenSequence& sequence = *rows_[r].sequence;
        const std::size_t number = layer * model_.kv_heads + h;
        const std::size_t from = (r * model_.kv_heads + h) * dim;
        put_key(keys.data() + from, dim, rows_[r].position,
                sequence.keys_.data() + number * key_room(sequence.capacity_, dim));
        std::copy_n(values.data() + from, dim,
                    sequence.values_.data() + (number * sequence.capacity_ + rows_[r].position) * dim);
      }
    });
  }

  std::vector<float> attention(std::size_t number) const {
    const DecoderLayer& layer = model_.layers[number];
    const std::size_t dim = model_.head_dim;
    std::vector<float> queries = product(normalized_, number, Product::query);
    std::vector<float> keys = product(normalized_, number, Product::key);
    normalize_heads(queries, layer.query_norm);
    normalize_heads(keys, layer.key_norm);
    rotate(queries);
    rotate(keys);
    remember(number, keys, product(normalized_, number, Product::value));
    std::vector<float> out(queries.size());
    const std::size_t group = model_.heads / model_.kv_heads;
    const AttentionRounding rounding{kernels_.probabilities, kernels_.format};
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      stop_point();
      AttentionRoom room;
      const std::size_t seen = rows_[r].position + 1;
      const AttentionKernel& kernel = rows_[r].step->attention[seen - 1];
      for (std::size_t h = 0; h < model_.heads; ++h) {
        const std::size_t place = (r * model_.heads + h) * dim;
        attend(queries.data() + place, memory(*rows_[r].sequence, number, h / group, seen), kernel, rounding, room,
               out.data() + place);
      }
    });
    return reduced_product(out, number, Product::attention_output);
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

  /// Multiplied by `factors`, if there are any.
  void activate(std::vector<float>& numbers, const std::vector<float>& factors) const {
    const std::size_t width = numbers.size() / count();
    parallel_for(0, count(), Grain::joined, [&](std::uint64_t r) {
      const std::span<float> row = std::span(numbers).subspan(r * width, width);
      for (float& x : row) x = activated(x);
      round_to(kernels_.format, row);
      if (factors.empty()) return;
      for (std::size_t i = 0; i < width; ++i) row[i] *= factors[r * width + i];
      round_to(kernels_.format, row);
    });
  }

  std::vector<float> mlp(std::size_t number) const {
    std::vector<float> up = product(normalized_, number, Product::up);
    if (model_.layers[number].gate.matrix.rows == 0) {
      activate(up, {});
      return reduced_product(up, number, Product::down);
    }
    std::vector<float> gate = product(normalized_, number, Product::gate);
    activate(gate, up);
    return reduced_product(gate, number, Product::down);
  }

  const LanguageModel& model_;
  const ServingKernels& kernels_;
  const Work& work_;
  std::span<TokenSequence* const> sequences_;
  std::vector<Row> rows_;
  std::vector<TokenDraws> draws_;  ///< of the rows; empty: nothing is drawn
  std::vector<float> residual_;
  std::vector<float> added_;  ///< what is to be added to the residual; empty: nothing
  std::vector<float> normalized_;
};

ForwardPass::ForwardPass(const LanguageModel& model, const ServingKernels& kernels, std::size_t positions,
                         const ServingDraws* draws)
    : model_(model),
      kernels_(kernels),
      draws_(draws),
      work_(std::make_unique<const Work>(model, kernels, draws, positions)) {}

ForwardPass::~ForwardPass() = default;

std::vector<float> ForwardPass::hidden_states(std::span<TokenSequence* const> sequences) const {
  return Call(model_, kernels_, *work_, draws_, sequences).run();
}

std::vector<float> logits_of(const LanguageModel& model, const ServingKernels& kernels, std::span<const float> hidden,
                             std::span<const TokenDraws> draws) {
  const std::size_t rows = hidden.size() / model.hidden;
  std::vector<float> out(rows * model.vocabulary);
  const ProductDraws of_rows{draws, kHeadProduct};
  ordered_product(hidden.data(), rows, model.head, kernels.format, {0, model.hidden}, kernels.products, {}, out.data(),
                  draws.empty() ? nullptr : &of_rows);
  round_to(kernels.format, out);
  require_finite(model, kernels.format, out);
  return out;
}

}  // namespace orderlab
