#include "sweep/sweep_plan.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "sweep/config_text.hpp"

using namespace orderlab;

namespace {

std::string plan_complaint(const std::string& text) {
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
    CHECK(plan.points[i].config.n == (i < 4 ? 3 : 2));
    CHECK(plan.points[i].config.order == (i / 2 % 2 == 0 ? "seq" : "random"));
    CHECK(plan.points[i].config.input == i % 2);
  }
}

TEST_CASE("a point is left out where all conditions of an exclusion are met") {
  const SweepPlan plan = ConfigText(
                             "n = [1, 10, 100]\norder = ['seq', 'random', 'pairwise']\n"
                             "exclude = [{ order = ['random', 'seq'], n = { from = 5, to = 50 } }, "
                             "{ n = 100, order = 'pairwise' }]\n")
                             .plan();
  std::vector<std::string> left;
  for (std::size_t i = 0; i < plan.points.size(); ++i)
    left.push_back(std::to_string(plan.points[i].config.n) + " " + plan.points[i].config.order);
  CHECK(left == std::vector<std::string>{"1 seq", "1 random", "1 pairwise", "10 pairwise", "100 seq", "100 random"});
}

TEST_CASE("points that sample the same are one point") {
  const SweepPlan plan =
      ConfigText(
          "n = 1000\norder = ['spa', 'tile(64,2) | halving(64) | arrive | seq(acc=atomic)', 'sptr']\n"
          "arrival = ['uniform', 'slots(5,0.2)', 'slots(5, 0.20)']\ndist = ['uniform(0,10)', 'uniform(0, 1e1)']\n")
          .plan();
  // spa twice, by arrivals; sptr takes none
  REQUIRE(plan.points.size() == 3);
  CHECK(plan.points[0].config.order == "spa");
  CHECK(plan.points[0].config.arrival == "uniform");
  CHECK(plan.points[1].config.arrival == "slots(5,0.2)");
  CHECK(plan.points[2].config.order == "sptr");
  CHECK(plan.points[2].config.arrival.empty());
}

TEST_CASE("a hash depends on everything that the result depends on, and on nothing else") {
  const std::string base = "n = 100\norder = 'random'\n";
  const auto hash = [](const std::string& text) { return ConfigText(text).plan().points.hash(0); };
  const ContentHash own = hash(base);
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
  const ContentHash hash = config.plan().points.hash(0);
  std::ofstream(config.folder() / "order.txt") << "2\n0\n1\n";
  CHECK(config.plan().points.hash(0) == hash);
  std::ofstream(config.folder() / "order.txt") << "2 1 0\n";
  CHECK(config.plan().points.hash(0) != hash);
}

TEST_CASE("points and plans are found by the same hashes as ever") {
  const ConfigText config(
      "n = [9, 64]\norder = ['random', 'spa', 'seq']\narrival = 'jitter(3)'\nformat = 'fp16:fp32'\n"
      "dist = ['uniform(0,10)', 'normal(0, 1.0)']\nsamples = 12\nbaseline = 'pairwise'\ninput = [0, 3]\n");
  const SweepPlan plan = config.plan();
  CHECK(plan_hash(plan).text() == "xxh3:8954d8f213a8e2b2400d4bec96fbdae5");
  CHECK(plan.points.hash(0).text() == "xxh3:62cdea73529258ca65646cbfc4c40f03");
  CHECK(plan.points.hash(5).text() == "xxh3:0c160611264695dc4b6a67cff836761a");
  const SweepPlan all = ConfigText("n = 5\norder = 'random'\nsamples = 'all'\n").plan();
  CHECK(plan_hash(all).text() == "xxh3:dd6e1974d2a9e0cd340b2d1e94b0d195");
  CHECK(all.points.hash(0).text() == "xxh3:d4a88e6cf361ee448c450a2586f897f1");
}

TEST_CASE("a point that is worked out has the hash and the texts that the plan keeps") {
  const SweepPlan plan =
      ConfigText(
          "n = [100, 200]\norder = ['spa', 'sptr', 'random', 'spa']\narrival = ['uniform', 'jitter(3)']\n"
          "format = ['fp64', 'fp32']\nseed = [1, 2]\ninput_seed = [4, 5]\nsamples = [10, 20]\n"
          "exclude = [{ n = 200, format = 'fp32' }, { seed = { from = 2 }, samples = [20] }]\n")
          .plan();
  CHECK(plan.points.size() == 72);
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint point = plan.points[i];
    const PlannedPoint planned = plan.points.planned(i);
    CHECK(point.hash() == planned.hash);
    CHECK(point.config.order == planned.order_text);
    CHECK(point.config.arrival == planned.arrival_text);
    CHECK(!(point.config.n == 200 && point.config.formats.terms == Format::fp32));
    CHECK(!(point.config.seed == 2 && point.config.asked == 20));
  }
}

TEST_CASE("a product of more points than a sweep takes is refused before any is made") {
  CHECK(plan_complaint("n = { from = 1, to = 4000, step = 1 }\norder = 'seq'\ninput = { from = 0, to = 3999 }\n") ==
        ": has 16000000 points (4000 of n, 4000 of input), more than a sweep takes (10000000); give a range a larger "
        "step or a factor, or split the config");
  std::string wide = "order = 'seq'\n";
  for (const char* axis : {"n", "seed", "input_seed", "input", "max_distinct"})
    wide += axis + std::string(" = { from = 2, to = 20000, step = 1 }\n");
  CHECK(plan_complaint(wide).starts_with(": has 3.2e+21 points (19999 of n, "));
}

TEST_CASE("planning tells how far it is, and stops") {
  const ConfigText config("n = { from = 1, to = 100, step = 1 }\norder = 'seq'\ninput = { from = 0, to = 99 }\n");
  std::uint64_t last = 0;
  PlanOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 10000);
    CHECK(done >= last);
    last = done;
  };
  CHECK(make_plan(read_config(config.path()), options)->points.size() == 10000);
  CHECK(last > 5000);
  std::stop_source source;
  options.stop = source.get_token();
  options.progress = [&](std::uint64_t done, std::uint64_t) {
    if (done > 5000) source.request_stop();
  };
  CHECK(!make_plan(read_config(config.path()), options));
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
      {"n = 1\norder = 'seq'\nformat = 'fp23'\n", ":3:10: fp23: no such format"},
      {"n = 7\norder = 'seq(2)'\n", ":2:9: order seq(2): leaves 4 partial sums of 7 terms"},
      {"n = 1\norder = 'seq'\nexclude = [{ n = 1 }]\n", ": all points are excluded"},
      {"n = [64, 2624]\norder = 'spa'\nsamples = 'all'\n", ":3:11: samples all: spa has 21 partial sums at n = 2624"},
      {"n = 9\norder = 'spa(1)'\narrival = 'jitter(3)'\nsamples = 'all'\n",
       ":4:11: samples all: spa(1): not all orders can be enumerated, `arrive` is not uniform"},
      {"n = 1\norder = 'seq'\nsamples = 'al'\n", ":3:11: samples al: is not a count"},
      {"n = 1\norder = 'seq'\nsamples = 281474976710657\n",
       ":3:11: samples 281474976710657: must be at most 281474976710656"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.text);
    const std::string message = plan_complaint(c.text);
    CAPTURE(message);
    CHECK(message.starts_with(c.message));
  }
}
