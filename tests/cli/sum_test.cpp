#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cli/program.hpp"
#include "orderlab/order.hpp"

using namespace orderlab::cli;

TEST_CASE("sum refuses every random order, and names --arrival launch where that would fix it") {
  for (const orderlab::NamedOrder& named : orderlab::named_orders()) {
    const std::string name(named.name);
    CAPTURE(name);
    const bool random = orderlab::parse_order(name).random();
    const Outcome outcome = run({"sum", "--n", "200", "--order", name});
    CHECK(outcome.status == (random ? 2 : 0));
    if (!random) continue;
    const bool arrives = orderlab::takes_arrival(name);
    CHECK(has(outcome.err, "--arrival launch") == arrives);
    CHECK(has(outcome.err, "orderlab sample"));
    if (arrives) CHECK(run({"sum", "--n", "200", "--order", name, "--arrival", "launch"}).status == kDone);
  }
}

TEST_CASE("sum still refuses an order that another arrival model leaves random") {
  CHECK(run({"sum", "--n", "200", "--order", "ao", "--arrival", "jitter(3)"}).status == 2);
  CHECK(run({"sum", "--n", "200", "--order", "arrive(uniform) | seq"}).status == 2);
  CHECK(run({"sum", "--n", "200", "--order", "arrive(launch) | seq"}).status == kDone);
}

TEST_CASE("sum gives the bits that sample gives for a fixed order") {
  for (const char* order : {"seq", "pairwise", "numpy", "sptr", "tprc_neumaier", "simd", "cub"})
    for (const char* format : {"fp64", "fp32", "fp16", "bf16:fp32:bf16"}) {
      const Line line{"--n", "777", "--order", order, "--format", format};
      auto sum = json_of(Line{"sum"} + line);
      auto sample = json_of(Line{"sample"} + line);
      CHECK(sum["results"].dump() == sample["results"].dump());
      CHECK(sample["samples"] == 1);
    }
}

TEST_CASE("whether an order fits the terms is asked in the format of the sums") {
  for (const char* command : {"sum", "sample"}) {
    const Line line{command, "--n", "8192", "--order", "cub_tile(8) | adjacent(256)", "--format"};
    CHECK(run(line + Line{"fp16"}).status == kDone);
    CHECK(run(line + Line{"fp64:bf16:fp64"}).status == kDone);
    CHECK(run(line + Line{"fp16:fp32"}).status == 2);
    CHECK(run(line + Line{"fp64"}).status == 2);
  }
}

TEST_CASE("--arrival goes to the orders that can take it") {
  const auto json = json_of({"sample", "--n", "200", "--order", "warp", "--order", "seq", "--order",
                             "arrive(launch) | seq", "--order", "ao", "--arrival", "jitter(2)", "--samples", "3"});
  REQUIRE(!json.is_null());
  CHECK(json["runs"][0]["order"]["expression"] == "halving(32) | arrive(jitter(2)) | seq(acc=atomic)");
  CHECK(json["runs"][1]["order"]["expression"] == "seq");
  CHECK(json["runs"][2]["order"]["expression"] == "arrive(launch) | seq");
  CHECK(json["runs"][3]["order"]["expression"] == "arrive(jitter(2)) | seq(acc=atomic)");
}
