#include <doctest/doctest.h>

#include <algorithm>

#include "orderlab/probe.hpp"
#include "probe/model_boxes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

ProbedOrder probed_random(const std::string& text, std::size_t n) {
  auto found = probe_setting(order_box(text), {.n = n});
  REQUIRE(found.has_value());
  CHECK(found->verdict == ProbeVerdict::random);
  return std::move(*found);
}

}  // namespace

TEST_CASE("chunks that arrive in any order are stable clusters") {
  const ProbedOrder found = probed_random("chunks(4) | shuffle | seq(from=zero)", 64);
  REQUIRE(found.clusters.size() == 4);
  for (std::size_t c = 0; c < 4; ++c) {
    CHECK(found.clusters[c].size() == 16);
    CHECK(found.clusters[c].front() == 16 * c);
    CHECK(found.clusters[c].back() == 16 * c + 15);
  }
  REQUIRE_FALSE(found.orders.empty());
  CHECK(found.orders.front().text == "openmp(4)");
  CHECK(found.replayed == kReplayedInputs);
  // 12 of the 15 trees over four are chains; each is drawn with probability 1/12.
  std::uint64_t draws = 0;
  for (const DrawnTree& tree : found.drawn) {
    CHECK(tree.tree != "another tree");
    draws += tree.count;
  }
  CHECK(draws == found.draws);
  CHECK(found.drawn.size() >= 6);
}

TEST_CASE("any tree over chunks") {
  const ProbedOrder found = probed_random("chunks(4) | shuffle | tree", 32);
  REQUIRE(found.clusters.size() == 4);
  REQUIRE_FALSE(found.orders.empty());
  CHECK(std::any_of(found.orders.begin(), found.orders.end(),
                    [](const WrittenOrder& order) { return order.text == "chunks(4) | shuffle | tree"; }));
  for (const WrittenOrder& order : found.orders) CHECK(order.text.find("arrive") == std::string::npos);
}

TEST_CASE("clusters of lanes, and none at all") {
  const ProbedOrder lanes = probed_random("strided(4) | shuffle | seq", 32);
  REQUIRE(lanes.clusters.size() == 4);
  CHECK(lanes.clusters[1] == std::vector<std::size_t>{1, 5, 9, 13, 17, 21, 25, 29});
  CHECK(lanes.orders.front().text == "strided(4) | arrive(uniform) | seq");
  const ProbedOrder none = probed_random("shuffle | seq", 12);
  CHECK(none.clusters.size() == 12);
  CHECK(none.different_sums > 1);
}

TEST_CASE("three clusters, whose sums have few different bits") {
  for (const char* text : {"tile(64,2) | halving(64) | shuffle | seq", "seq(100) | shuffle | seq"}) {
    CAPTURE(std::string(text));
    CHECK(probed_random(text, 300).clusters.size() == 3);
  }
}

TEST_CASE("a drawn order whose sums of random terms are nearly exact") {
  const auto found = probe_setting(order_box("chunks(3) | shuffle | seq", false, Format::fp64), {.n = 60});
  REQUIRE(found.has_value());
  CHECK(found->verdict == ProbeVerdict::random);
  CHECK(found->clusters.size() == 3);
}
