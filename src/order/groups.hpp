// Positions of groups of partial sums, and properties of the trees that add them.
#pragma once

#include <concepts>
#include <cstddef>

#include "order/left_to_right.hpp"
#include "order/level_sums.hpp"

namespace orderlab {

/// `count` pieces of `width` groups that lie side by side: member i of group l of piece p is partial sum
/// first + p * stride + l + i * step, and its sum goes to place + p * width + l. With `longer`, which needs count == 1,
/// that many groups at the front have one more member.
struct Groups {
  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t stride = 0;
  std::size_t width = 1;
  std::size_t step = 1;
  std::size_t members = 1;
  std::size_t place = 0;
  std::size_t longer = 0;

  std::size_t groups() const { return count * width; }
};

/// Calls visit(groups) for the runs of k of m partial sums, the last one being shorter if need be.
template <class Visit>
void visit_runs(std::size_t k, std::size_t m, Visit visit) {
  if (m >= k) visit(Groups{.count = m / k, .stride = k, .members = k});
  if (m % k != 0) visit(Groups{.first = m - m % k, .members = m % k, .place = m / k});
}

/// A group's tree for add_groups is a LeftToRight, or a function for every meaning of arithmetic: tree(arithmetic,
/// members) puts the sum of the span into its first place.
template <class Tree>
inline constexpr bool kLeftToRight = std::same_as<Tree, LeftToRight>;

/// The levels of a tree of `members` members; a tree without a function `levels` has none.
template <class Tree>
Levels levels_of([[maybe_unused]] const Tree& tree, [[maybe_unused]] std::size_t members) {
  if constexpr (requires { tree.levels(members); })
    if (members > 1 && members <= LevelRuns::kMostMembers) return tree.levels(members);
  return Levels::none;
}

}  // namespace orderlab
