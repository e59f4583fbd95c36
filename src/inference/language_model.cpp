#include "orderlab/language_model.hpp"

namespace orderlab {

namespace {

std::uint64_t count_of(const WeightMatrix& matrix) { return std::uint64_t{matrix.rows} * matrix.columns; }

std::uint64_t count_of(const NormWeights& norm) { return norm.scale.size() + norm.bias.size(); }

std::uint64_t count_of(const LinearWeights& linear) { return count_of(linear.matrix) + linear.bias.size(); }

std::uint64_t count_of(const DecoderLayer& layer) {
  std::uint64_t count = 0;
  for (const NormWeights* norm : {&layer.before_attention, &layer.before_mlp, &layer.query_norm, &layer.key_norm})
    count += count_of(*norm);
  for (const LinearWeights* linear :
       {&layer.query, &layer.key, &layer.value, &layer.attention_output, &layer.gate, &layer.up, &layer.down})
    count += count_of(*linear);
  return count;
}

}  // namespace

std::uint64_t LanguageModel::parameters() const {
  std::uint64_t count = count_of(embedding) + count_of(final_norm);
  if (head.numbers != embedding.numbers) count += count_of(head);
  for (const DecoderLayer& layer : layers) count += count_of(layer);
  return count;
}

}  // namespace orderlab
