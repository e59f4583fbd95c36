// Unbiased bounded integers and uniform permutations.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "orderlab/philox.hpp"

namespace orderlab {

/// Numbers the words of a stream: word j is word j % 4 of block j / 4 (32 bits), or half j % 2 of block j / 2 (64
/// bits).
///
/// A bounded draw is the high part of word * bound; words that would make it uneven are redrawn at the next attempt.
/// Source: [Lemire2019].
class WordReader {
 public:
  explicit WordReader(const RandomStream& stream) : stream_(stream) {}

  /// Uniform in [0, bound), 1 <= bound < 2^32, from word `j`.
  std::uint32_t below(std::uint32_t bound, std::uint64_t j) {
    std::uint64_t product = static_cast<std::uint64_t>(word(j)) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t uneven = (0u - bound) % bound;
      for (std::uint16_t attempt = 1; static_cast<std::uint32_t>(product) < uneven; ++attempt)
        product = static_cast<std::uint64_t>(stream_.block(j / 4, attempt)[j % 4]) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform in [0, bound), bound >= 1, from 64-bit word `j`.
  std::uint64_t below_wide(std::uint64_t bound, std::uint64_t j) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t uneven = (0u - bound) % bound;
    for (std::uint16_t attempt = 0;; ++attempt) {
      const RandomStream::Block b = stream_.block(j / 2, attempt);
      const std::size_t low = 2 * (j % 2);
      const std::uint64_t word = b[low] | (static_cast<std::uint64_t>(b[low + 1]) << 32);
      const Wide product = static_cast<Wide>(word) * bound;
      if (static_cast<std::uint64_t>(product) >= uneven) return static_cast<std::uint64_t>(product >> 64);
    }
  }

 private:
  std::uint32_t word(std::uint64_t j) {
    if (j / 4 != index_) {
      index_ = j / 4;
      block_ = stream_.block(index_);
    }
    return block_[j % 4];
  }

  RandomStream stream_;
  std::uint64_t index_ = ~std::uint64_t{0};
  RandomStream::Block block_{};
};

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
