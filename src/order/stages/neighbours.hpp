// The tree that adds neighbours first, for every stage that has it in it.
#pragma once

#include <bit>
#include <cstddef>
#include <span>

#include "order/level_sums.hpp"

namespace orderlab {

/// v[i] += v[i+o] for i = 0, 2o, 4o, ... and o = 1, 2, 4, ...: the sum of the span, which is not empty, ends
/// up in its first place.
template <class A>
void add_neighbours(A& arith, std::span<typename A::Value> v) {
  for (std::size_t o = 1; o < v.size(); o *= 2)
    for (std::size_t i = 0; i + o < v.size(); i += 2 * o) v[i] = arith.add(v[i], v[i + o]);
}

/// The same as the tree of groups.
struct NeighboursTree {
  static Levels levels(std::size_t members) { return std::has_single_bit(members) ? Levels::neighbours : Levels::none; }

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    add_neighbours(arith, v);
  }
};

}  // namespace orderlab
