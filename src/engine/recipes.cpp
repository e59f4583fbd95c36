#include "engine/recipes.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace orderlab {

namespace {

void note_uses(Recipes& recipes) {
  for (std::size_t i = 0; i < recipes.list.size(); ++i)
    for (const RecipePair& pair : recipes.list[i].pairs)
      recipes.list[pair.left].last_use = recipes.list[pair.right].last_use = i;
}

}  // namespace

Recipes all_trees(std::size_t m) {
  Recipes recipes;
  recipes.list.emplace_back();
  for (std::size_t size = 2; size <= m; ++size) {
    Recipe recipe;
    recipe.size = size;
    recipe.least_left = 1;
    for (std::size_t left = 1; 2 * left <= size; ++left) recipe.pairs.push_back({left - 1, size - left - 1});
    recipes.list.push_back(std::move(recipe));
  }
  note_uses(recipes);
  return recipes;
}

Recipes one_tree(const SummationTree& tree) {
  Recipes recipes;
  recipes.ordered = true;
  recipes.list.emplace_back();
  std::map<std::tuple<Operation, std::size_t, std::size_t>, std::size_t> known;
  recipes.of_node.resize(tree.node_count(), 0);
  for (SummationTree::Node node = tree.term_count(); node < tree.node_count(); ++node) {
    const auto children = tree.children(node);
    std::size_t left = recipes.of_node[children.front()];
    std::size_t right = recipes.of_node[children.back()];
    if (left > right) std::swap(left, right);  // leaves have the lowest of all tables
    const auto [entry, is_new] = known.try_emplace({tree.operation(node), left, right}, recipes.list.size());
    recipes.of_node[node] = entry->second;
    if (!is_new) continue;
    const std::size_t left_size = recipes.list[left].size;
    Recipe recipe;
    recipe.size = left_size + (children.size() == 2 ? recipes.list[right].size : 0);
    recipe.operation = tree.operation(node);
    recipe.least_left = left_size;
    recipe.pairs = {{left, right}};
    recipes.list.push_back(std::move(recipe));
  }
  note_uses(recipes);
  return recipes;
}

}  // namespace orderlab
