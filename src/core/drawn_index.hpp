// Indices that a GPU's host program and orderlab draw alike. Plain C++ that nvcc compiles, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/philox.hpp"

namespace orderlab {

/// Numbers first, ..., first + count - 1 of drawn_index.
inline void draw_index_part(std::int64_t* to, std::size_t first, std::size_t count, std::size_t bins,
                            std::uint64_t seed, std::uint64_t number) {
  WordReader words(RandomStream(seed, streams::kIndices, number));
  for (std::size_t i = first; i < first + count; ++i)
    *to++ = static_cast<std::int64_t>(words.below(static_cast<std::uint32_t>(bins), i));
}

/// `count` uniform draws out of 0 .. bins - 1, `number` telling those of one seed apart; at most 2^32 - 1 bins.
inline std::vector<std::int64_t> drawn_index(std::size_t count, std::size_t bins, std::uint64_t seed,
                                             std::uint64_t number = 0) {
  std::vector<std::int64_t> index(count);
  draw_index_part(index.data(), 0, count, bins, seed, number);
  return index;
}

}  // namespace orderlab
