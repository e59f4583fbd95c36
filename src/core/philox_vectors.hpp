// Many blocks of a random stream at once, by vectors.
#pragma once

#include <cstdint>
#include <span>

#include "orderlab/philox.hpp"

namespace orderlab {

/// Sets low[k] to words 0 and 1 of stream.block(first + k, attempt), word 0 in its low half, and high[k] to words 2 and
/// 3 likewise. low.size() == high.size(), first + low.size() <= RandomStream::kIndexLimit.
void philox_blocks(const RandomStream& stream, std::uint64_t first, std::uint16_t attempt, std::span<std::uint64_t> low,
                   std::span<std::uint64_t> high);

}  // namespace orderlab
