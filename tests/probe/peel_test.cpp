#include "probe/peel.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "orderlab/order.hpp"
#include "probe/model_boxes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::vector<std::string> names_of(const TreeShape& shape) {
  std::vector<std::string> names;
  for (const auto& stages : peel(shape, Format::fp32)) names.push_back(Order({}, stages).expression());
  return names;
}

}  // namespace

TEST_CASE("pipelines are named by peeling their stages") {
  struct Peeled {
    const char* text;
    std::size_t n;
  };
  constexpr Peeled kPeeled[] = {
      {"seq", 64},
      {"halving(32) | seq", 1000},
      {"tile(32,2) | halving(32) | seq", 640},
      {"chunks(5) | seq", 64},
      {"chunks(5) | pairwise", 101},
      {"strided(8) | halving(8)", 64},
      {"strided(6) | adjacent(6)", 100},
      {"adjacent(4) | seq", 101},
      {"seq(25) | pairwise", 1000},
      {"pairwise(16)", 1000},
      {"strided(16,rest=keep) | halving(16,rest=keep) | seq", 101},
      {"reverse | chunks(4) | seq", 60},
      {"rotate(5) | seq", 48},
      {"power_of_two | pairwise", 13},
      {"halving(16) | strided(3) | seq", 96},
  };
  for (const auto& [text, n] : kPeeled) {
    CAPTURE(std::string(text));
    const TreeShape shape = shape_of_order(text, n);
    const std::vector<std::string> names = names_of(shape);
    REQUIRE_FALSE(names.empty());
    for (const std::string& name : names) CHECK_MESSAGE(shape_of_order(name, n) == shape, name);
  }
}

TEST_CASE("the clusters below a wide root are named") {
  TreeShape shape(20);
  std::vector<TreeShape::Node> tops;
  for (TreeShape::Node c = 0; c < 4; ++c) {
    TreeShape::Node sum = 5 * c;
    for (TreeShape::Node i = 1; i < 5; ++i) sum = shape.join(std::array{sum, 5 * c + i});
    tops.push_back(sum);
  }
  shape.join(tops);
  const std::vector<std::string> names = names_of(shape);
  CHECK(std::find(names.begin(), names.end(), "chunks(4)") != names.end());
  CHECK(std::find(names.begin(), names.end(), "seq(5)") != names.end());
}

TEST_CASE("a random tree has no name") {
  IndexGenerator draw(RandomStream(32, 0, 0), 0);
  CHECK(names_of(random_shape(draw, 60)).empty());
}
