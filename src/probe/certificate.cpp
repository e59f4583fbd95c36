#include "probe/certificate.hpp"

#include <algorithm>
#include <vector>

namespace orderlab {

std::optional<PairThatDiffers> certify(const TreeShape& shape, PairSizes& sizes) {
  const std::vector<TreeShape::Node> leaf = shape.leaf_of_each();
  std::vector<PlacePair> pairs;
  std::vector<std::size_t> expected;
  for (TreeShape::Node node = 0; node < shape.node_count(); ++node) {
    const auto children = shape.children(node);
    for (std::size_t a = 0; a < children.size(); ++a)
      for (std::size_t b = a + 1; b < children.size(); ++b) {
        pairs.push_back({leaf[children[a]], leaf[children[b]]});
        expected.push_back(shape.leaves_below(node));
      }
  }
  const std::size_t together = sizes.box().box().together();
  std::vector<std::size_t> found(together);
  for (std::size_t first = 0; first < pairs.size(); first += together) {
    const std::size_t count = std::min(together, pairs.size() - first);
    sizes.measure(std::span(pairs).subspan(first, count), found);
    for (std::size_t k = 0; k < count; ++k)
      if (found[k] != expected[first + k])
        return PairThatDiffers{pairs[first + k].i, pairs[first + k].j, expected[first + k], found[k]};
  }
  return std::nullopt;
}

}  // namespace orderlab
