// What the JSON of `sample` and `sum` holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

// The keys of an object, in order, as one text.
std::string keys(const Json& object) {
  std::string all;
  for (const auto& [key, value] : object.members()) all += (all.empty() ? "" : " ") + key;
  return all;
}

constexpr const char* kHead = "orderlab bits_version command config input ";
constexpr const char* kRun =
    "order samples distinct results nonfinite error vs bounds stagnation unseen_mass same_bits arrival";

void checks_out(const Json& part, std::uint64_t samples, std::size_t digits) {
  CHECK(part["samples"] == samples);
  CHECK(part["distinct"] == part["results"].size());
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < part["results"].size(); ++i) {
    const Json& result = part["results"][i];
    CHECK(keys(result) == "bits value count error_ulp");
    CHECK(result["bits"].text().size() == 2 + digits);
    counted += result["count"].count();
    if (i > 0 && result["value"].is_number() && part["results"][i - 1]["value"].is_number())
      CHECK(part["results"][i - 1]["value"].number() < result["value"].number());
  }
  CHECK(counted == samples);
}

}  // namespace

TEST_CASE("the JSON of sample has the keys of the contract, in their order") {
  const Json json = json_of({"sample", "--n", "1000", "--order", "warp", "--samples", "50"});
  REQUIRE(!json.is_null());
  CHECK(keys(json) == std::string(kHead) + kRun);
  CHECK(json["command"] == "sample");
  CHECK(json["bits_version"] == 5);
  CHECK(keys(json["config"]) == "n dist input_seed format order arrival seed samples max_distinct baseline");
  CHECK(keys(json["input"]) == "n format products inexact_conversions overflowed_terms hash exact sum_abs condition");
  CHECK(keys(json["input"]["exact"]) == "bits value decimal");
  CHECK(keys(json["order"]) == "name expression guarantee height");
  CHECK(keys(json["order"]["height"]) == "min max");
  CHECK(keys(json["nonfinite"]) == "inf minus_inf nan");
  CHECK(keys(json["error"]).starts_with("ulp relative"));
  CHECK(keys(json["error"]["ulp"]) == "min max mean sd max_abs quantiles");
  CHECK(keys(json["error"]["relative"]) == "min max mean sd max_abs quantiles");
  CHECK(keys(json["error"]["ulp"]["quantiles"]["0.05"]) == "value low high");
  CHECK(keys(json["vs"]) == "baseline baseline_bits offset spread max_abs");
  CHECK(keys(json["bounds"]) == "running gamma probabilistic any_order higham_mary");
  CHECK(keys(json["bounds"]["running"]) == "min max");
  CHECK(keys(json["bounds"]["probabilistic"]) == "value probability");
  CHECK(keys(json["bounds"]["higham_mary"]) == "value probability");
  CHECK(json["order"]["name"] == "warp");
  CHECK(json["order"]["guarantee"] == "not_guaranteed");
  CHECK(json["config"]["arrival"] == "uniform");
  checks_out(json, 50, 16);
}

TEST_CASE("the JSON of several orders has a run for each over one input") {
  const Json json =
      json_of({"sample", "--n", "1000", "--order", "warp", "--order", "seq", "--order", "spa", "--samples", "20"});
  REQUIRE(!json.is_null());
  CHECK(keys(json) == std::string(kHead) + "runs");
  REQUIRE(json["runs"].size() == 3);
  for (const Json& part : json["runs"]) CHECK(keys(part) == kRun);
  CHECK(json["config"]["order"].size() == 3);
  CHECK(json["config"]["arrival"] == Json::array({"uniform", nullptr, "uniform"}));
  checks_out(json["runs"][0], 20, 16);
  checks_out(json["runs"][1], 1, 16);
  for (std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    Json alone = json_of({"sample", "--n", "1000", "--order", i == 0 ? "warp" : "spa", "--samples", "20"});
    for (const auto& [key, value] : json["runs"][i].members()) CHECK(alone[key].dump() == value.dump());
  }
}

TEST_CASE("the JSON of two orders says how often they differ") {
  const Json json = json_of({"sample", "--n", "1000", "--order", "warp", "--order", "seq", "--samples", "20"});
  REQUIRE(!json.is_null());
  CHECK(keys(json) == std::string(kHead) + "runs differing_bits");
  CHECK(keys(json["differing_bits"]) == "probability");
  CHECK(keys(json["runs"][0]["same_bits"]) == "probability low high runs_to_differ");
}

TEST_CASE("sample of a fixed order prints its Vs against --baseline") {
  const Line line{"sample", "--values", "0x1p53,1,1", "--order", "seq", "--baseline", "reverse | seq"};
  CHECK(json_of(line)["vs"]["offset"] == 2 / 9007199254740994.0);  // 2^53 against 2^53 + 2
  CHECK(has(run(line).out, "\nVs against reverse | seq: 2.22e-16\n"));
  CHECK(!has(run({"sample", "--values", "0x1p53,1,1", "--order", "seq"}).out, "Vs"));
}

TEST_CASE("the JSON of sum has one result and says nothing of samples to draw") {
  const Json json = json_of({"sum", "--values", "0.1,0.2,-0.3", "--order", "sequential"});
  REQUIRE(!json.is_null());
  CHECK(keys(json) == std::string(kHead) + kRun);
  CHECK(json["command"] == "sum");
  CHECK(keys(json["config"]) == "n input format order arrival baseline");
  CHECK(json["results"][0]["bits"] == "0x3c90000000000000");  // 0.1 + 0.2 - 0.3 = 2^-54
  CHECK(json["order"]["guarantee"] == "any_device");
  checks_out(json, 1, 16);
}

TEST_CASE("a named order has its name, an expression has null") {
  CHECK(json_of({"sum", "--n", "40", "--order", "pairwise"})["order"]["name"] == "pairwise");
  CHECK(json_of({"sum", "--n", "40", "--order", "halving(32) | seq"})["order"]["name"].is_null());
}

TEST_CASE("bits have all digits of the result format") {
  for (const auto& [format, digits] :
       {std::pair("fp64", 16), std::pair("fp32", 8), std::pair("fp16", 4), std::pair("bf16", 4)}) {
    for (const char* values : {"0,0,0", "1,2,3"}) {
      const Json json =
          json_of({"sample", "--values", values, "--format", format, "--order", "random", "--samples", "7"});
      REQUIRE(!json.is_null());
      const auto length = static_cast<std::size_t>(digits);
      checks_out(json, 7, length);
      CHECK(json["input"]["exact"]["bits"].text().size() == 2 + length);
      CHECK(json["vs"]["baseline_bits"].text().size() == 2 + length);
    }
  }
}

TEST_CASE("minus zero is listed before zero") {
  const Json json =
      json_of({"sample", "--values", "1,0x1p-53,-1,-0x1p-53", "--format", "fp64:fp64:fp16", "--order", "random"});
  REQUIRE(!json.is_null());
  REQUIRE(json["results"].size() == 2);
  CHECK(json["results"][0]["bits"] == "0x8000");
  CHECK(json["results"][1]["bits"] == "0x0000");
  CHECK(json["results"][0]["value"].dump() == "-0.0");
  CHECK(json["results"][1]["value"].dump() == "0.0");
  CHECK(json["results"][0]["count"].count() + json["results"][1]["count"].count() == 1000);
  CHECK(json["input"]["condition"] == "inf");
  CHECK((json["error"]["relative"].is_null() || json["error"]["relative"]["max_abs"].is_null()));
  CHECK(json["vs"]["offset"].is_null());
}

TEST_CASE("infinities and NaN are texts") {
  const Json json =
      json_of({"sample", "--values", "65504,65504,-65504,-65504,1", "--format", "fp16", "--order", "random"});
  REQUIRE(!json.is_null());
  std::uint64_t inf = 0;
  std::uint64_t minus_inf = 0;
  for (const Json& result : json["results"]) {
    if (result["value"] == "inf") inf = result["count"].count();
    if (result["value"] == "-inf") minus_inf = result["count"].count();
    CHECK(result["error_ulp"].is_null() == result["value"].is_text());
  }
  CHECK(inf > 0);
  CHECK(minus_inf > 0);
  CHECK(json["nonfinite"]["inf"] == inf);
  CHECK(json["nonfinite"]["minus_inf"] == minus_inf);
  CHECK(json["nonfinite"]["nan"] == 0);
  CHECK(json["results"].front()["value"] == "-inf");
  CHECK(json["results"].back()["value"] == "inf");

  const Json nan = json_of({"sample", "--values", "inf,-inf,1", "--order", "random", "--samples", "10"});
  REQUIRE(!nan.is_null());
  CHECK(nan["input"]["exact"]["value"] == "nan");
  CHECK(nan["results"][0]["value"] == "nan");
  CHECK(nan["nonfinite"]["nan"] == 10);
}

TEST_CASE("more results than --max-distinct become a histogram") {
  const Json json = json_of({"sample", "--n", "2000", "--order", "random", "--samples", "500", "--max-distinct", "4"});
  REQUIRE(!json.is_null());
  CHECK(keys(json) ==
        std::string(kHead) +
            "order samples distinct histogram nonfinite error vs bounds stagnation unseen_mass same_bits arrival");
  CHECK(json["distinct"].is_null());
  CHECK(json["unseen_mass"].is_null());
  CHECK(keys(json["histogram"]) == "bin_ulp bins");
  CHECK(json["config"]["max_distinct"] == 4);
  const double unit = json["histogram"]["bin_ulp"].number();
  CHECK(std::ldexp(1.0, std::ilogb(unit)) == unit);
  CHECK(json["histogram"]["bins"].size() <= 4);
  std::uint64_t counted = 0;
  for (const Json& bin : json["histogram"]["bins"]) counted += bin[1].count();
  CHECK(counted == 500);
}

TEST_CASE("a range stands outside the config") {
  const Line whole{"sample", "--n", "500", "--order", "warp", "--samples", "20"};
  const Json part = json_of(whole + Line{"--range", "3:10"});
  CHECK(part["range"] == Json::array({3, 10}));
  CHECK(part["samples"] == 7);
  CHECK(part["config"].dump() == json_of(whole)["config"].dump());
  CHECK(!json_of(whole).contains("range"));
  CHECK(!json_of(whole).contains("partial"));
}

TEST_CASE("the seed of the terms is that of the orders unless it is given") {
  const auto of = [](const Line& seeds) { return json_of(Line{"sample", "--n", "300", "--order", "random"} + seeds); };
  CHECK(of({"--seed", "3"})["input"]["hash"] == of({"--seed", "4", "--input-seed", "3"})["input"]["hash"]);
  CHECK(of({"--seed", "3"})["input"]["hash"] != of({"--seed", "4"})["input"]["hash"]);
  CHECK(of({"--seed", "3"})["results"] != of({"--seed", "4", "--input-seed", "3"})["results"]);
}

TEST_CASE("--with makes a dot product") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "1\n2\n3\n");
  TemporaryFolder::write("y.txt", "10\n100\n1000\n");
  const Json json = json_of({"sum", "--input", "x.txt", "--with", "y.txt", "--order", "seq(acc=fma)"});
  REQUIRE(!json.is_null());
  CHECK(json["input"]["products"] == true);
  CHECK(json["results"][0]["bits"] == "0x40a9140000000000");  // 3210
}
