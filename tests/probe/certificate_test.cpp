#include "probe/certificate.hpp"

#include <doctest/doctest.h>

#include "order/pipelines.hpp"
#include "orderlab/error.hpp"
#include "probe/model_boxes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr Masks kMasks32{127, 0, std::size_t{1} << 24};

struct AskedShape {
  AskedShape(const BoxMaker& maker, std::size_t n, const Masks& masks = kMasks32)
      : box(maker, {.n = n}, watch), sizes(box, masks) {}
  ProbeWatch watch;
  AskedBox box;
  PairSizes sizes;
};

// The same tree with two leaves exchanged.
TreeShape exchanged(const TreeShape& shape, TreeShape::Node a, TreeShape::Node b) {
  TreeShape other(shape.leaf_count());
  for (auto node = static_cast<TreeShape::Node>(shape.leaf_count()); node < shape.node_count(); ++node) {
    std::vector<TreeShape::Node> children(shape.children(node).begin(), shape.children(node).end());
    for (TreeShape::Node& child : children) child = child == a ? b : child == b ? a : child;
    other.join(children);
  }
  return other;
}

// A fixed pipeline that n terms can have and whose sums are additions alone.
std::string some_fixed_pipeline(IndexGenerator& draw, std::size_t n) {
  for (;;) {
    std::string text = random_pipeline(draw, false);
    if (text.find("neumaier") != std::string::npos || text.find("sort") != std::string::npos) continue;
    const Order order = parse_order(text);
    if (order.random()) continue;
    try {
      order.check(n, false, Format::fp32);
      return text;
    } catch (const Error&) {
      continue;
    }
  }
}

}  // namespace

TEST_CASE("a certificate holds for the box's own tree alone") {
  IndexGenerator draw(RandomStream(21, 0, 0), 0);
  int own = 0;
  int others = 0;
  for (std::uint64_t trial = 0; trial < trials(600); ++trial) {
    const std::size_t n = 3 + below(draw, 60);
    const bool pipeline = chance(draw, 2);
    const std::string text = pipeline ? some_fixed_pipeline(draw, n) : "";
    const TreeShape shape = pipeline ? shape_of_order(text, n) : random_shape(draw, n, chance(draw, 2));
    AskedShape asked(pipeline ? order_box(text) : shape_box(shape), n);
    CAPTURE(text);
    CAPTURE(n);
    CHECK_FALSE(certify(shape, asked.sizes).has_value());
    CHECK(asked.box.calls() == n - 1);
    ++own;
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<TreeShape::Node>(below(draw, n));
      const auto b = static_cast<TreeShape::Node>(below(draw, n));
      const TreeShape other = k == 0 ? random_shape(draw, n) : exchanged(shape, a, b);
      const auto differs = certify(other, asked.sizes);
      CHECK(differs.has_value() == !(other == shape));
      if (!differs) continue;
      ++others;
      CHECK(shape.smallest_subtree(static_cast<TreeShape::Node>(differs->i),
                                   static_cast<TreeShape::Node>(differs->j)) == differs->found);
      CHECK(differs->found != differs->expected);
    }
  }
  CHECK(own > 0);
  CHECK(others > own);
}

TEST_CASE("more terms than a format can count are counted in parts") {
  // Units of bf16 are exact up to 256 of them.
  const Masks masks{127, 0, std::size_t{1} << 8};
  for (const std::size_t n : {std::size_t{257}, std::size_t{300}, std::size_t{700}}) {
    const BoxMaker maker = order_box("pairwise", false, Format::bf16);
    AskedShape asked(maker, n, masks);
    CHECK_FALSE(certify(shape_of_order("pairwise", n), asked.sizes).has_value());
    CHECK(certify(shape_of_order("seq", n), asked.sizes).has_value());
    if (n == 257) continue;  // masks leave at most 255 units to count
    AskedShape too_many(order_box("seq", false, Format::bf16), n, kMasks32);
    CHECK(certify(shape_of_order("seq", n), too_many.sizes).has_value());  // which is why there are parts
  }
}
