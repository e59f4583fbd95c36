// Unbiased bounded integers, many at a time, and uniform permutations.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "orderlab/philox.hpp"

namespace orderlab {

/// Sets draws[i] to WordReader::below(first_bound + i * step, first_word + i), the bound modulo 2^32, for all i: many
/// blocks at a time, by vectors.
///
/// Shape: every bound is at least 1; first_word is a multiple of 4.
void draw_below(const RandomStream& stream, std::uint32_t first_bound, std::uint32_t step, std::uint64_t first_word,
                std::span<std::uint32_t> draws);

/// Draws made ahead of their use: enough that the processor can fetch the memory of many swaps at once (prefetch
/// instructions were slower); a multiple of 4.
inline constexpr std::size_t kDrawsAhead = 256;

/// Permutes `values` uniformly: Fisher-Yates from the top, step j taking word j (32 bits below 2^32 values, else 64).
template <class V>
void shuffle_values(std::span<V> values, const RandomStream& stream) {
  std::uint64_t left = values.size();
  if (left >> 32 != 0) {
    const WordReader words(stream);
    for (std::uint64_t j = 0; left > 1; ++j, --left) std::swap(values[left - 1], values[words.below_wide(left, j)]);
    return;
  }
  std::array<std::uint32_t, kDrawsAhead> buffer;
  while (left > 1) {
    const auto picks = std::span(buffer).first(std::min<std::size_t>(left - 1, kDrawsAhead));
    draw_below(stream, static_cast<std::uint32_t>(left), ~0u, values.size() - left, picks);
    for (const std::uint32_t pick : picks) std::swap(values[--left], values[pick]);
  }
}

}  // namespace orderlab
