// Rotary position embeddings.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orderlab/language_model.hpp"

namespace orderlab {

/// Cosines and sines of the first positions. Frequencies and angles are rounded to fp32, as Transformers does; their
/// cosines and sines are those of fp64, rounded to fp32.
class RotaryTable {
 public:
  RotaryTable(const RotaryEmbedding& rotary, std::size_t positions);

  /// Rotates a head's numbers, in fp32, rounded once.
  void rotate(std::size_t position, std::span<float> head, Format format) const;

 private:
  std::size_t half_;
  std::vector<float> cosine_;
  std::vector<float> sine_;
};

}  // namespace orderlab
