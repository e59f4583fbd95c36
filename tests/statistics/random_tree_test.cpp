// The order `random_tree` against all binary trees with commutative nodes.
#include <doctest/doctest.h>

#include <array>

#include "statistics/uniformity.hpp"

using namespace orderlab;

namespace {

/// The sets of leaves below the inner nodes, ascending: they name an unordered tree.
std::uint64_t clades_of(const SummationTree& tree) {
  constexpr std::uint64_t kLeaves = 5;
  std::array<std::uint64_t, 2 * kLeaves - 1> sets{};
  for (std::uint64_t node = 0; node < tree.node_count(); ++node)
    sets[node] = tree.leaf(node) ? 1u << node : sets[tree.children(node)[0]] | sets[tree.children(node)[1]];
  std::sort(sets.begin() + kLeaves, sets.end());
  std::uint64_t key = 0;
  for (std::uint64_t inner = kLeaves; inner < tree.node_count(); ++inner) key = key << kLeaves | sets[inner];
  return key;
}

}  // namespace

TEST_CASE("random_tree draws each of the 105 trees of five terms equally often") {
  const std::vector<double> terms{0.1, -1e15, 3e-17, 1e15, 7.7};
  testing::check_uniform("random_tree", terms, 105, clades_of);
}
