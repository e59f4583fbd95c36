// A parallel walk over all sets of partial sums in which subsets come first.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/arena.hpp"
#include "engine/extremes.hpp"
#include "engine/subset_index.hpp"

namespace orderlab {

/// Calls visit(set, groups) for every set but the empty one; bit g of `groups` says that the set holds of group g.
///
/// The walk cuts a set's number in two. Sets with one upper part are visited one after the other, by a copy of `visit`
/// of their own; upper parts of equal count side by side, lower counts first. So all proper subsets were visited
/// before. `run`: sets of one upper part, at least. Returns false when stopped.
/// Shape: at most 64 groups.
template <class Visit>
bool walk_sets(const SubsetIndex& index, SubsetIndex::Set run, const WalkOptions& options, const Visit& visit) {
  using Number = SubsetIndex::Set;
  std::size_t cut = 0;
  Number low = 1;
  while (cut < index.groups() && low < run) {
    low *= index.held(index.all(), cut) + 1;
    ++cut;
  }
  std::vector<std::vector<Number>> layers(index.count(index.all()) + 1);
  for (std::uint64_t top = 0; top < index.size(); top += low)
    layers[index.count(static_cast<Number>(top))].push_back(static_cast<Number>(top));

  std::uint64_t done = 0;
  for (const std::vector<Number>& layer : layers) {
    parallel_for(0, layer.size(), Grain::joined, [&](std::uint64_t i) {
      if (options.stop.stop_requested()) return;
      Visit own = visit;
      std::vector<std::uint32_t> held(index.groups());
      std::uint64_t groups = 0;
      for (std::size_t g = cut; g < index.groups(); ++g)
        if (index.held(layer[i], g) > 0) groups |= std::uint64_t{1} << g;
      for (Number set = layer[i], end = set + (low - 1);; ++set) {
        if (set > 0) own(set, groups);
        if (set == end) return;
        std::size_t g = 0;
        for (; held[g] == index.held(index.all(), g); ++g) {
          held[g] = 0;
          groups &= ~(std::uint64_t{1} << g);
        }
        ++held[g];
        groups |= std::uint64_t{1} << g;
      }
    });
    if (options.stop.stop_requested()) return false;
    done += layer.size() * std::uint64_t{low};
    if (options.progress && !layer.empty()) options.progress(done, index.size());
  }
  return true;
}

}  // namespace orderlab
