#include "probe/fused_products.hpp"

#include "probe/few_terms.hpp"

namespace orderlab {

std::vector<bool> fused_products(const TreeShape& shape, AskedBox& box) {
  using Node = TreeShape::Node;
  // a a = 1 + 2 e + e^2, with e the ulp of 1, rounds to 1 + 2 e. It meets -(1 + 2 e): e^2 is left only if it is fused.
  const double ulp = power_of_two(1 - info(box.setting().format).precision);
  const double a = 1 + ulp;
  Terms x(box.setting().format, box.n());
  Terms y(box.setting().format, box.n());
  for (std::size_t i = 0; i < box.n(); ++i) y.set(i, 1);
  TermView both = x.view();
  both.y = y.view().x;
  const std::vector<Node> leaf_of_each = shape.leaf_of_each();
  std::vector<bool> fused(box.n(), false);
  for (Node leaf = 0; leaf < box.n(); ++leaf) {
    const auto children = shape.children(shape.parent(leaf));
    const Node other = leaf_of_each[children[0] == leaf ? children[1] : children[0]];
    x.set(leaf, a);
    y.set(leaf, a);
    x.set(other, -(1 + 2 * ulp));
    fused[leaf] = box.sum(both) != 0;
    x.set(leaf, 0);
    y.set(leaf, 1);
    x.set(other, 0);
  }
  return fused;
}

}  // namespace orderlab
