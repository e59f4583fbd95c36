// Random places among terms.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/philox.hpp"

namespace orderlab {

/// Places among n terms, the same ones whenever it is made with the same key.
class RandomPlaces {
 public:
  RandomPlaces(std::size_t n, std::uint64_t key) : n_(n), stream_(key, streams::kProbe, 0) {}

  /// One of `count` numbers from 0 on.
  std::size_t below(std::size_t count) {
    const RandomStream::Block block = stream_.block(index_++);
    const std::uint64_t word = block[0] | (std::uint64_t{block[1]} << 32);
    return static_cast<std::size_t>(word % count);  // not quite uniform, which does not matter here
  }

  /// `count` different places. Shape: count <= n.
  std::vector<std::size_t> some(std::size_t count) {
    std::vector<std::size_t> places;
    while (places.size() < count) {
      const std::size_t place = below(n_);
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    return places;
  }

 private:
  std::size_t n_;
  RandomStream stream_;
  std::uint64_t index_ = 0;
};

}  // namespace orderlab
