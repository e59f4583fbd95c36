// Many blocks of a random stream at once, by vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/philox.hpp"

namespace orderlab {

/// Sets low[k] to words 0 and 1 of stream.block(first + k, attempt), word 0 in its low half, and high[k] to words 2 and
/// 3 likewise. low.size() == high.size(), first + low.size() <= RandomStream::kIndexLimit.
void philox_blocks(const RandomStream& stream, std::uint64_t first, std::uint16_t attempt, std::span<std::uint64_t> low,
                   std::span<std::uint64_t> high);

/// Blocks in one call; this many make a call worthwhile: a few KiB of words.
inline constexpr std::size_t kBlocksAtOnce = 256;

/// Calls visit(begin, low, high) for the words of blocks first + begin, first + begin + 1, ... at `attempt`,
/// `count` blocks in all, several per call. visit may overwrite them.
template <class Visit>
void visit_philox_blocks(const RandomStream& stream, std::uint64_t first, std::size_t count, Visit visit,
                         std::uint16_t attempt = 0) {
  std::array<std::uint64_t, kBlocksAtOnce> low_storage, high_storage;
  for (std::size_t begin = 0; begin < count; begin += kBlocksAtOnce) {
    const std::size_t some = std::min(kBlocksAtOnce, count - begin);
    const auto low = std::span(low_storage).first(some);
    const auto high = std::span(high_storage).first(some);
    philox_blocks(stream, first + begin, attempt, low, high);
    visit(begin, low, high);
  }
}

}  // namespace orderlab
