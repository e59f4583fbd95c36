#include "inference/rotary.hpp"

#include <cmath>

#include "inference/functions.hpp"
#include "inference/narrow_floats.hpp"

namespace orderlab {

namespace {

/// Frequency i of the embedding, radians a token. Slow ones are stretched: [Grattafiori2024], Transformers'
/// modeling_rope_utils.py.
float frequency(const RotaryEmbedding& rotary, std::size_t i) {
  constexpr double kTwoPi = 0x1.921fb54442d18p2;
  const double exponent = 2 * static_cast<double>(i) / static_cast<double>(rotary.dimensions);
  const double plain = fixed::exp(-exponent * fixed::log(rotary.theta));
  if (!rotary.scaling) return static_cast<float>(plain);
  const RotaryScaling& scaling = *rotary.scaling;
  const double turns = scaling.original_positions * plain / kTwoPi;
  const double share =
      (turns - scaling.low_frequency_factor) / (scaling.high_frequency_factor - scaling.low_frequency_factor);
  if (share >= 1) return static_cast<float>(plain);
  if (share <= 0) return static_cast<float>(plain / scaling.factor);
  return static_cast<float>((1 - share) * plain / scaling.factor + share * plain);
}

}  // namespace

RotaryTable::RotaryTable(const RotaryEmbedding& rotary, std::size_t positions) : half_(rotary.dimensions / 2) {
  std::vector<float> frequencies(half_);
  for (std::size_t i = 0; i < half_; ++i) frequencies[i] = frequency(rotary, i);
  cosine_.reserve(positions * half_);
  sine_.reserve(positions * half_);
  for (std::size_t p = 0; p < positions; ++p)
    for (const float f : frequencies) {
      const fixed::SineCosine both = fixed::sine_cosine(static_cast<double>(static_cast<float>(p) * f));
      cosine_.push_back(static_cast<float>(both.cosine));
      sine_.push_back(static_cast<float>(both.sine));
    }
}

void RotaryTable::rotate(std::size_t position, std::span<float> head, Format format) const {
  const float* const cosine = &cosine_[position * half_];
  const float* const sine = &sine_[position * half_];
  for (std::size_t i = 0; i < half_; ++i) {
    const float a = head[i];
    const float b = head[i + half_];
    head[i] = a * cosine[i] - b * sine[i];
    head[i + half_] = b * cosine[i] + a * sine[i];
  }
  round_to(format, head.first(2 * half_));
}

}  // namespace orderlab
