// Indices that a GPU's host program and orderlab draw alike. Plain C++ that nvcc compiles, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/philox.hpp"

namespace orderlab {

/// `count` uniform draws out of 0 .. bins - 1, `number` telling those of one seed apart; at most 2^32 - 1 bins.
inline std::vector<std::int64_t> drawn_index(std::size_t count, std::size_t bins, std::uint64_t seed,
                                             std::uint64_t number = 0) {
  std::vector<std::int64_t> index(count);
  WordReader words(RandomStream(seed, streams::kIndices, number));
  for (std::size_t i = 0; i < count; ++i)
    index[i] = static_cast<std::int64_t>(words.below(static_cast<std::uint32_t>(bins), i));
  return index;
}

}  // namespace orderlab
