// Drawings of trees: every term once, parents above children, heights as the tree has them.
#include "page/small_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "orderlab/order.hpp"

using namespace orderlab;

TEST_CASE("widths shrink together, arrivals become uniform, the rest stays") {
  CHECK(drawn_order("tile(64,2) | halving(64) | arrive(slots(1280,0.2,0.5)) | seq(acc=atomic)") ==
        "tile(4,2) | halving(4) | arrive(uniform) | seq(acc=atomic)");
  CHECK(drawn_order("tile(256,4,100) | halving(256) | seq(from=zero)") == "tile(4,4) | halving(4) | seq(from=zero)");
  CHECK(drawn_order("halving(32) | arrive(launch) | seq") == "halving(4) | arrive(uniform) | seq");
  CHECK(drawn_order("strided(8) | halving(8)") == "strided(4) | halving(4)");
  for (const char* as_it_is : {"seq", "pairwise", "chunks(16) | arrive(uniform) | seq(acc=atomic)", "adjacent(3) | seq",
                               "cub_tile(5280) | adjacent(32) | seq(8) | cub_tile(1) | adjacent(32) | seq(8)"})
    CHECK(drawn_order(as_it_is) == as_it_is);
}

TEST_CASE("every named order is drawn with every term once and its own height") {
  for (const NamedOrder& named : named_orders()) {
    const std::string expression = drawn_order(parse_order(named.name).expression());
    CAPTURE(expression);
    const auto drawing = small_tree(expression, 1);
    REQUIRE(drawing);
    std::set<std::uint64_t> terms;
    std::set<double> places;
    std::size_t inner = 0;
    double top = 0;
    for (const TreePoint& point : drawing->points) {
      top = std::max(top, point.y);
      if (!point.leaf) ++inner;
      if (!point.leaf) continue;
      terms.insert(point.term);
      places.insert(point.x);
      CHECK(point.y == 0);
    }
    CHECK(terms.size() == kDrawnTerms);
    CHECK(places.size() == kDrawnTerms);
    CHECK(*terms.rbegin() == kDrawnTerms - 1);
    CHECK(drawing->edges.size() == kDrawnTerms + inner - 1);  // a tree
    for (const TreeEdge& edge : drawing->edges) CHECK(drawing->points[edge.parent].y > drawing->points[edge.child].y);
    const bool plain = std::none_of(drawing->points.begin(), drawing->points.end(),
                                    [](const TreePoint& point) { return point.compensated; });
    if (plain) CHECK(top == static_cast<double>(drawing->height));
  }
}

TEST_CASE("an order that cannot be drawn is not") {
  CHECK(!small_tree("perm('xxh3:0123')", 1));
  CHECK(!small_tree("seq(acc=fma)", 1));
}
