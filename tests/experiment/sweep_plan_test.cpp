#include "experiment/sweep_plan.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiment/config_text.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;

namespace {

std::string complaint(const std::string& text) {
  const ConfigText config(text);
  try {
    (void)config.plan();
  } catch (const Error& error) {
    return std::string(error.what()).substr(config.path().size());
  }
  return "";
}

}  // namespace

TEST_CASE("points are the product of the axes, the last axis running fastest") {
  const SweepPlan plan =
      ConfigText("input = [0, 1]\norder = ['seq', 'random']\nn = [3, 2]\ndist = 'constant(1)'\n").plan();
  REQUIRE(plan.points.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(plan.points[i].input.n == (i < 4 ? 3 : 2));
    CHECK(plan.points[i].order_text == (i / 2 % 2 == 0 ? "seq" : "random"));
    CHECK(plan.points[i].input.input_number == i % 2);
  }
}

TEST_CASE("a point is left out where all conditions of an exclusion are met") {
  const SweepPlan plan = ConfigText(
                             "n = [1, 10, 100]\norder = ['seq', 'random', 'pairwise']\n"
                             "exclude = [{ order = ['random', 'seq'], n = { from = 5, to = 50 } }, "
                             "{ n = 100, order = 'pairwise' }]\n")
                             .plan();
  std::vector<std::string> left;
  for (const SweepPoint& point : plan.points) left.push_back(std::to_string(point.input.n) + " " + point.order_text);
  CHECK(left == std::vector<std::string>{"1 seq", "1 random", "1 pairwise", "10 pairwise", "100 seq", "100 random"});
}

TEST_CASE("points that are one experiment are one point") {
  const SweepPlan plan =
      ConfigText(
          "n = 1000\norder = ['spa', 'tile(64,2) | halving(64) | arrive | seq(acc=atomic)', 'sptr']\n"
          "arrival = ['uniform', 'slots(5,0.2)', 'slots(5, 0.20)']\ndist = ['uniform(0,10)', 'uniform(0, 1e1)']\n")
          .plan();
  // spa twice, by arrivals; sptr takes none
  REQUIRE(plan.points.size() == 3);
  CHECK(plan.points[0].order_text == "spa");
  CHECK(plan.points[0].arrival_text == "uniform");
  CHECK(plan.points[1].arrival_text == "slots(5,0.2)");
  CHECK(plan.points[2].order_text == "sptr");
  CHECK(plan.points[2].arrival_text.empty());
}

TEST_CASE("a hash depends on everything that the result depends on, and on nothing else") {
  const std::string base = "n = 100\norder = 'random'\n";
  const auto hash = [](const std::string& text) { return ConfigText(text).plan().points[0].hash; };
  const std::string own = hash(base);
  for (const char* same : {"title = 'x'\n", "question = 'y'\n", "seed = 1\n", "samples = 1e3\n", "input = 0\n"})
    CHECK(hash(base + same) == own);
  for (const char* other :
       {"seed = 2\n", "samples = 1001\n", "input = 1\n", "input_seed = 2\n", "dist = 'normal(0,1)'\n",
        "format = 'fp32'\n", "baseline = 'pairwise'\n", "max_distinct = 7\n"})
    CHECK(hash(base + other) != own);
}

TEST_CASE("files are looked for beside the config, and count by their content") {
  const ConfigText config("n = 3\norder = \"perm('order.txt') | seq\"\n");
  std::ofstream(config.folder() / "order.txt") << "2 0 1\n";
  const std::string hash = config.plan().points[0].hash;
  std::ofstream(config.folder() / "order.txt") << "2\n0\n1\n";
  CHECK(config.plan().points[0].hash == hash);
  std::ofstream(config.folder() / "order.txt") << "2 1 0\n";
  CHECK(config.plan().points[0].hash != hash);
}

TEST_CASE("a config that cannot be run is refused with the place of the value") {
  const struct {
    std::string text;
    std::string message;
  } kCases[] = {
      {"n = 1\norder = 'sequ'\n", ":2:9: order 'sequ': position 1: sequ: no such stage or named order"},
      {"n = 1\norder = 'seq'\narrival = 'uniform'\n", ":3:11: arrival uniform: no order has a bare `arrive` for it"},
      {"n = 1\norder = 'spa'\narrival = ['uniform', 'unifrom']\n",
       ":3:23: arrival 'unifrom': position 1: unifrom: no such arrival model; did you mean uniform?"},
      {"n = 1\norder = 'seq'\nbaseline = 'random'\n", ":3:12: baseline random: is random"},
      {"n = 1\norder = 'seq'\ndist = 'unifrom(0,1)'\n", ":3:8: unifrom: no such distribution; did you mean uniform?"},
      {"n = 1\norder = 'seq'\nformat = 'fp23'\n", ":3:10: format fp23"},
      {"n = 7\norder = 'seq(2)'\n", ":2:9: order seq(2): leaves 4 partial sums of 7 terms"},
      {"n = 1\norder = 'seq'\nexclude = [{ n = 1 }]\n", ": all points are excluded"},
      {"n = [64, 2624]\norder = 'spa'\nsamples = 'all'\n", ":3:11: samples all: spa has 21 partial sums at n = 2624"},
      {"n = 9\norder = 'spa(1)'\narrival = 'jitter(3)'\nsamples = 'all'\n",
       ":4:11: samples all: spa(1): not all orders can be walked, `arrive` is not uniform"},
      {"n = 1\norder = 'seq'\nsamples = 'al'\n", ":3:11: samples al: is not a count"},
      {"n = 1\norder = 'seq'\nsamples = 281474976710657\n", ":3:11: samples 281474976710657: is too large"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.text);
    const std::string message = complaint(c.text);
    CAPTURE(message);
    CHECK(message.starts_with(c.message));
  }
}
