// How the results of a subset follow from those of smaller ones: for all trees at once, or for one fixed tree.
#pragma once

#include <cstddef>
#include <vector>

#include "orderlab/evaluator.hpp"

namespace orderlab {

/// Two tables of results whose subsets, put together, make a subset of a recipe.
struct RecipePair {
  std::size_t left;
  std::size_t right;
};

/// One table: the results of all subsets of one size that a kind of tree can give.
struct Recipe {
  std::size_t size = 1;
  Operation operation = Operation::add;  ///< what the root does
  std::size_t least_left = 0;            ///< size of the left subset of pairs[0]; one larger for each that follows
  std::vector<RecipePair> pairs;         ///< none for leaves, one for one tree
  std::size_t last_use = 0;              ///< the last recipe that needs this one

  /// For left subsets of that size; null if there is none. What has one child has it as `left` at `size`.
  const RecipePair* pair(std::size_t left_size) const {
    return left_size >= least_left && left_size - least_left < pairs.size() ? &pairs[left_size - least_left] : nullptr;
  }
};

/// Table 0 is of single partial sums, each recipe follows those it needs, the last is of all m partial sums.
struct Recipes {
  std::vector<Recipe> list;
  bool ordered = false;                   ///< left and right are distinct even if they share a table
  std::vector<std::size_t> of_node = {};  ///< for one tree: the table of each node
};

/// All binary trees over m leaves.
Recipes all_trees(std::size_t m);

/// One tree; subtrees of one shape share a table, and children may be exchanged because addition commutes.
/// The leaf is the left child of an fma with two children.
Recipes one_tree(const SummationTree& tree);

}  // namespace orderlab
