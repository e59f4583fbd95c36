#include "inference/token_draws.hpp"

#include <numeric>
#include <utility>

namespace orderlab {

namespace {

/// Word of the stream from which the draws of a tile begin: those of a step's batch are in front.
constexpr std::uint64_t first_word(std::uint64_t product, std::uint64_t tile) {
  constexpr std::uint64_t kEach = 1 << 16;
  return ((product + 1) * kEach + tile) * kEach;
}

}  // namespace

std::size_t TokenDraws::batch(std::size_t count) const {
  return WordReader(stream_).below(static_cast<std::uint32_t>(count), 0);
}

void TokenDraws::arrivals(std::uint64_t product, std::uint64_t tile, std::span<std::uint32_t> order) const {
  std::iota(order.begin(), order.end(), 0U);
  WordReader words(stream_);
  const std::uint64_t first = first_word(product, tile);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[words.below(static_cast<std::uint32_t>(i), first + i)]);
}

}  // namespace orderlab
