// How groups are added, for every meaning of arithmetic.hpp: a left-to-right sum, or a tree that puts the sum of a span
// into its first place.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "core/stop.hpp"
#include "orderlab/steps.hpp"
#include "run/arithmetic.hpp"
#include "run/level_sums.hpp"

namespace orderlab {

/// From left to right, through an accumulator.
struct InTurn {
  Accumulate accumulate = Accumulate::plain;
  bool from_zero = false;
};

template <class Tree>
inline constexpr bool kInTurn = std::same_as<Tree, InTurn>;

/// Sum of `count` >= 1 partial sums, obtained one by one from next().
template <class A, class Next>
typename A::Value add_in_turn(A& arith, InTurn how, std::size_t count, Next next) {
  A local = arith;  // a copy the compiler can keep in registers: nothing else can point at it
  typename A::Value sum;
  switch (how.accumulate) {
    case Accumulate::plain:
      sum = how.from_zero ? local.start(next()) : next();
      stoppable_loop(1, count, [&](std::size_t) { sum = local.add(sum, next()); });
      break;
    case Accumulate::atomic:
      sum = local.start_ftz(next());
      stoppable_loop(1, count, [&](std::size_t) { sum = local.add_ftz(sum, next()); });
      break;
    default:
      sum = local.group(how.accumulate, how.from_zero, count, next);
  }
  arith = local;
  return sum;
}

/// Combination::Tree::halves.
struct HalvesTree {
  std::size_t width;

  Levels levels(std::size_t members) const { return members == width ? Levels::halves : Levels::none; }

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    for (std::size_t o = width / 2; o > 0; o /= 2)
      for (std::size_t l = 0; l < o && l + o < v.size(); ++l) v[l] = arith.add(v[l], v[l + o]);
  }
};

/// Combination::Tree::neighbours.
struct NeighboursTree {
  static Levels levels(std::size_t members) { return std::has_single_bit(members) ? Levels::neighbours : Levels::none; }

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    for (std::size_t o = 1; o < v.size(); o *= 2)
      for (std::size_t i = 0; i + o < v.size(); i += 2 * o) v[i] = arith.add(v[i], v[i + o]);
  }
};

/// Combination::Tree::given.
struct GivenTree {
  const std::vector<Addition>* additions;

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    for (const auto [to, from] : *additions) v[to] = arith.add(v[to], v[from]);
    if (!additions->empty()) v[0] = v[additions->back().to];
  }
};

/// Calls visit with the tree of `how`, which is not drawn.
template <class Visit>
void with_tree(const Combination& how, Visit visit) {
  switch (how.tree) {
    case Combination::Tree::halves:
      return visit(HalvesTree{how.width});
    case Combination::Tree::neighbours:
      return visit(NeighboursTree());
    case Combination::Tree::given:
      return visit(GivenTree{how.additions.get()});
    default:
      return visit(InTurn{how.accumulate, how.from_zero});
  }
}

}  // namespace orderlab
