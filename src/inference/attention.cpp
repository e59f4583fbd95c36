#include "inference/attention.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "inference/narrow_floats.hpp"
#include "inference/ordered_product.hpp"
#include "operation/fixed_functions.hpp"
#include "order/counts.hpp"

namespace orderlab {

namespace {

constexpr float kNone = -HUGE_VALF;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLog2E = 0x1.71547652b82fep0;

/// 2^x for x <= 0, rounded to fp32.
float exp2_of(float x) { return static_cast<float>(fixed_exp(static_cast<double>(x) * kLn2)); }

constexpr float kAbove0 = 1e-6F;  // vLLM's paged attention divides by sums that are this much greater

/// What is known of a split besides its outputs.
struct SplitSum {
  float largest;  ///< score, in units of log2
  float sum;      ///< of 2^(score - largest)

  /// To base 2, of the sum of all 2^score.
  float logarithm() const { return largest + static_cast<float>(fixed_log(static_cast<double>(sum)) * kLog2E); }
};

/// One split: its keys, block by block.
class Split {
 public:
  Split(const HeadMemory& memory, Format probabilities, AttentionWeights kind, float* sums)
      : memory_(memory), probabilities_(probabilities), kind_(kind), sums_(sums) {
    std::fill_n(sums_, memory.dim, 0.0F);
  }

  /// Keys begin .. begin + scores.size() - 1. `weights` has room for as many numbers.
  void add(std::span<const float> scores, std::size_t begin, float* weights) {
    const float scale = static_cast<float>(kLog2E / std::sqrt(static_cast<double>(memory_.dim)));
    float largest = std::max(largest_, *std::max_element(scores.begin(), scores.end()));
    for (const float score : scores)
      if (score != score) largest = score;
    if (largest > largest_ && largest_ != kNone) grow(exp2_of((largest_ - largest) * scale));
    largest_ = largest;
    for (std::size_t j = 0; j < scores.size(); ++j) weights[j] = exp2_of(std::fma(scores[j], scale, -largest * scale));
    if (kind_ == AttentionWeights::rounded_in_sum) round_to(probabilities_, {weights, scores.size()});
    for (std::size_t j = 0; j < scores.size(); ++j) thread_sums_[j % 8 / 2] += weights[j];
    if (kind_ == AttentionWeights::quotient) {
      const float inverse = 1 / (sum() + kAbove0);
      for (std::size_t j = 0; j < scores.size(); ++j) weights[j] *= inverse;
    }
    round_to(probabilities_, {weights, scores.size()});
    add_weighted(weights, memory_.values + begin * memory_.dim, scores.size(), memory_.dim, memory_.dim, sums_);
    scaled_largest_ = largest * scale;
  }

  /// Divides the sums, if `divides`, where weights are no quotients already.
  SplitSum finish(bool divides) {
    const float all = sum();
    const float inverse = 1 / all;
    if (divides && kind_ != AttentionWeights::quotient)
      for (std::size_t d = 0; d < memory_.dim; ++d) sums_[d] *= inverse;
    return {scaled_largest_, all};
  }

 private:
  float sum() const { return (thread_sums_[0] + thread_sums_[2]) + (thread_sums_[1] + thread_sums_[3]); }

  void grow(float factor) {
    for (float& sum : thread_sums_) sum *= factor;
    for (std::size_t d = 0; d < memory_.dim; ++d) sums_[d] *= factor;
  }

  const HeadMemory& memory_;
  Format probabilities_;
  AttentionWeights kind_;
  float* sums_;
  float largest_ = kNone;
  float scaled_largest_ = 0;
  std::array<float, 4> thread_sums_ = {};
};

std::vector<float> logarithms_of(std::span<const SplitSum> splits) {
  std::vector<float> logarithms;
  for (const SplitSum& split : splits) logarithms.push_back(split.logarithm());
  return logarithms;
}

/// Adds the splits' outputs, each weighted by its share of the sum of all probabilities.
void add_weighted_splits(std::span<const SplitSum> splits, const float* parts, std::size_t dim, AttentionRoom& room,
                         float* out) {
  const std::vector<float> logarithms = logarithms_of(splits);
  const float largest = *std::max_element(logarithms.begin(), logarithms.end());
  float all = 0;
  for (const float logarithm : logarithms) all += exp2_of(logarithm - largest);
  const float total = largest + static_cast<float>(fixed_log(static_cast<double>(all)) * kLog2E);
  room.weights.resize(logarithms.size());
  for (std::size_t s = 0; s < logarithms.size(); ++s) room.weights[s] = exp2_of(logarithms[s] - total);
  std::fill_n(out, dim, 0.0F);
  add_weighted(room.weights.data(), parts, logarithms.size(), dim, dim, out);
}

/// The same, scaled by the largest logarithm so far: the first split, and every `step`-th after it. Which of the two
/// products is fused is not known from the source. Returns the logarithm of all.
float add_splits_in_turn(std::span<const float> logarithms, const float* parts, std::size_t step, std::size_t dim,
                         float* out) {
  float largest = logarithms[0];
  float all = 1;
  std::copy_n(parts, dim, out);
  for (std::size_t s = step; s < logarithms.size(); s += step) {
    const float next = std::max(largest, logarithms[s]);
    const float old = exp2_of(largest - next);
    const float weight = exp2_of(logarithms[s] - next);
    for (std::size_t d = 0; d < dim; ++d) out[d] = std::fma(weight, parts[s * dim + d], out[d] * old);
    all = std::fma(all, old, weight);
    largest = next;
  }
  for (std::size_t d = 0; d < dim; ++d) out[d] /= all;
  return SplitSum{largest, all}.logarithm();
}

/// The same by groups: group y adds splits y, y + groups, ...; then the groups' results, rounded, are added in turn.
void add_splits_in_groups(std::span<const SplitSum> splits, const float* parts, std::size_t groups, std::size_t dim,
                          Format output, float* out) {
  const std::vector<float> logarithms = logarithms_of(splits);
  const std::size_t filled = std::min(groups, splits.size());
  std::vector<float> results(filled * dim);
  std::vector<float> sums;
  for (std::size_t y = 0; y < filled; ++y)
    sums.push_back(
        add_splits_in_turn(std::span(logarithms).subspan(y), parts + y * dim, groups, dim, results.data() + y * dim));
  round_to(output, results);
  add_splits_in_turn(sums, results.data(), 1, dim, out);
}

/// Splits that are not divided, scaled by the largest score of all, by a tree of halves over a power of two of them.
void add_splits_by_tree(std::span<const SplitSum> splits, float* parts, std::size_t launched, std::size_t dim,
                        float* out) {
  float largest = splits[0].largest;
  for (const SplitSum& split : splits) largest = std::max(largest, split.largest);
  std::vector<float> sums;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const float factor = exp2_of(splits[s].largest - largest);
    sums.push_back(splits[s].sum * factor);
    for (std::size_t d = 0; d < dim; ++d) parts[s * dim + d] *= factor;
  }
  // Splits without keys are zeros, which change no sum.
  for (std::size_t half = std::bit_ceil(launched) / 2; half > 0; half /= 2)
    for (std::size_t s = 0; s + half < std::min(2 * half, sums.size()); ++s) {
      sums[s] += sums[s + half];
      for (std::size_t d = 0; d < dim; ++d) parts[s * dim + d] += parts[(s + half) * dim + d];
    }
  for (std::size_t d = 0; d < dim; ++d) out[d] = parts[d] / sums[0];
}

/// The same, by the sums of the splits.
void add_splits_by_sums(std::span<const SplitSum> splits, const float* parts, std::size_t dim, AttentionRoom& room,
                        float* out) {
  float largest = splits[0].largest;
  for (const SplitSum& split : splits) largest = std::max(largest, split.largest);
  room.weights.resize(splits.size());
  float all = 0;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    room.weights[s] = splits[s].sum * exp2_of(splits[s].largest - largest);
    all += room.weights[s];
  }
  const float inverse = 1 / (all + kAbove0);
  std::fill_n(out, dim, 0.0F);
  for (std::size_t s = 0; s < splits.size(); ++s)
    for (std::size_t d = 0; d < dim; ++d) out[d] = std::fma(parts[s * dim + d] * room.weights[s], inverse, out[d]);
}

void add_splits(std::span<const SplitSum> splits, const AttentionKernel& kernel, Format output, std::size_t dim,
                AttentionRoom& room, float* out) {
  float* const parts = room.parts.data();
  switch (kernel.merge) {
    case AttentionMerge::weighted:
      add_weighted_splits(splits, parts, dim, room, out);
      break;
    case AttentionMerge::in_turn:
      add_splits_in_turn(logarithms_of(splits), parts, 1, dim, out);
      break;
    case AttentionMerge::in_groups:
      add_splits_in_groups(splits, parts, kernel.merge_groups, dim, output, out);
      break;
    case AttentionMerge::by_tree:
      add_splits_by_tree(splits, parts, kernel.splits, dim, out);
      break;
    case AttentionMerge::by_sums:
      add_splits_by_sums(splits, parts, dim, room, out);
      break;
  }
}

}  // namespace

void attend(const float* query, const HeadMemory& memory, const AttentionKernel& kernel,
            const AttentionRounding& rounding, AttentionRoom& room, float* out) {
  const std::size_t splits = kernel.filled_splits(memory.count);
  room.scores.resize(key_room(memory.count, 1));
  query_scores(query, memory.keys, memory.dim, memory.count, room.scores.data());
  room.weights.resize(std::max(kernel.block_keys, splits));
  room.parts.resize(splits * memory.dim);
  std::vector<SplitSum> sums_of_splits;
  for (std::size_t s = 0; s < splits; ++s) {
    float* const sums = room.parts.data() + s * memory.dim;
    Split split(memory, rounding.probabilities, kernel.weights, sums);
    const std::size_t begin = s * kernel.split_keys;
    const std::size_t end = std::min(memory.count, begin + kernel.split_keys);
    const std::size_t blocks = ceil_div(end - begin, kernel.block_keys);
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t block = kernel.last_block_first ? blocks - 1 - b : b;
      const std::size_t first = begin + block * kernel.block_keys;
      const std::size_t count = std::min(kernel.block_keys, end - first);
      split.add({room.scores.data() + first, count}, first, room.weights.data());
    }
    sums_of_splits.push_back(split.finish(splits == 1 || kernel.merge != AttentionMerge::by_tree));
    if (kernel.partials_rounded && splits > 1) round_to(rounding.output, {sums, memory.dim});
  }
  if (splits == 1)
    std::copy_n(room.parts.data(), memory.dim, out);
  else
    add_splits(sums_of_splits, kernel, rounding.output, memory.dim, room, out);
  round_to(rounding.output, {out, memory.dim});
}

}  // namespace orderlab
