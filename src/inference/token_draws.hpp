// What a run of a server draws for one token: how many requests are decoded beside, and in which order the sums of
// splits of a matrix product arrive where they are added by atomics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/philox.hpp"

namespace orderlab {

/// The draws of one token of one request. They depend on nothing but the seed, the run, the request and the position.
class TokenDraws {
 public:
  TokenDraws(std::uint64_t seed, std::uint64_t run, std::uint64_t request, std::uint64_t position)
      : stream_(DrawPath{.seed = seed, .step = position, .output = request}.key(), streams::kServing, run) {}

  /// Uniform among 0 .. count - 1.
  std::size_t batch(std::size_t count) const;

  /// Sets order to a uniform permutation of 0 .. order.size() - 1: splits of tile number `tile` of that product, below
  /// 2^16 each.
  void arrivals(std::uint64_t product, std::uint64_t tile, std::span<std::uint32_t> order) const;

 private:
  RandomStream stream_;
};

}  // namespace orderlab
