#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "orderlab/terms.hpp"
#include "report/experiment_json.hpp"
#include "report/make_experiment.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

using Line = std::vector<std::string>;
using Json = nlohmann::ordered_json;

// The keys of an object, in order, as one text.
std::string keys(const Json& object) {
  std::string all;
  for (const auto& [key, value] : object.items()) all += (all.empty() ? "" : " ") + key;
  return all;
}

constexpr const char* kHead = "orderlab bits_version command config input ";
constexpr const char* kRun = "order samples distinct results nonfinite error vs bounds unseen_mass arrival";

std::string bytes_of(const Line& arguments) {
  const Outcome outcome = run(arguments + Line{"--json", "-"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
  return outcome.out;
}

// The command line that a config describes; for given terms it needs the file too.
Line repeat(const Json& document, const Line& input = {}) {
  const Json& config = document["config"];
  Line arguments =
      Line{document["command"].get<std::string>(), "--format", config["format"].get<std::string>()} + input;
  if (input.empty())
    arguments =
        arguments + Line{"--n",          config["n"].dump(),         "--dist", config["dist"].get<std::string>(),
                         "--input-seed", config["input_seed"].dump()};
  const Json orders = config["order"].is_array() ? config["order"] : Json::array({config["order"]});
  for (const Json& order : orders) arguments = arguments + Line{"--order", order.get<std::string>()};
  if (config.contains("samples"))
    arguments = arguments + Line{"--seed",         config["seed"].dump(),        "--samples", config["samples"].dump(),
                                 "--max-distinct", config["max_distinct"].dump()};
  if (!config["baseline"].is_null()) arguments = arguments + Line{"--baseline", config["baseline"].get<std::string>()};
  return arguments;
}

void checks_out(const Json& part, std::uint64_t samples, std::size_t digits) {
  CHECK(part["samples"] == samples);
  CHECK(part["distinct"] == part["results"].size());
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < part["results"].size(); ++i) {
    const Json& result = part["results"][i];
    CHECK(keys(result) == "bits value count error_ulp");
    CHECK(result["bits"].get<std::string>().size() == 2 + digits);
    counted += result["count"].get<std::uint64_t>();
    if (i > 0 && result["value"].is_number() && part["results"][i - 1]["value"].is_number())
      CHECK(part["results"][i - 1]["value"].get<double>() < result["value"].get<double>());
  }
  CHECK(counted == samples);
}

}  // namespace

TEST_CASE("the JSON of sample has the keys of the contract, in their order") {
  const Json json = json_of({"sample", "--n", "1000", "--order", "warp", "--samples", "50"});
  REQUIRE(!json.is_discarded());
  CHECK(keys(json) == std::string(kHead) + kRun);
  CHECK(json["command"] == "sample");
  CHECK(json["bits_version"] == 1);
  CHECK(keys(json["config"]) == "n dist input_seed format order arrival seed samples max_distinct baseline");
  CHECK(keys(json["input"]) == "n format products inexact_conversions hash exact sum_abs condition");
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
  REQUIRE(!json.is_discarded());
  CHECK(keys(json) == std::string(kHead) + "runs");
  REQUIRE(json["runs"].size() == 3);
  for (const Json& part : json["runs"]) CHECK(keys(part) == kRun);
  CHECK(json["config"]["order"].size() == 3);
  CHECK(json["config"]["arrival"] == Json::array({"uniform", nullptr, "uniform"}));
  checks_out(json["runs"][0], 20, 16);
  checks_out(json["runs"][1], 1, 16);
  for (std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    Json alone = json_of({"sample", "--n", "1000", "--order", i == 0 ? "warp" : "spa", "--samples", "20"});
    for (const auto& [key, value] : json["runs"][i].items()) CHECK(alone[key].dump() == value.dump());
  }
}

TEST_CASE("the JSON of sum has one result and says nothing of samples to draw") {
  const Json json = json_of({"sum", "--values", "0.1,0.2,-0.3", "--order", "sequential"});
  REQUIRE(!json.is_discarded());
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
      REQUIRE(!json.is_discarded());
      const auto length = static_cast<std::size_t>(digits);
      checks_out(json, 7, length);
      CHECK(json["input"]["exact"]["bits"].get<std::string>().size() == 2 + length);
      CHECK(json["vs"]["baseline_bits"].get<std::string>().size() == 2 + length);
    }
  }
}

TEST_CASE("minus zero is listed before zero") {
  const Json json =
      json_of({"sample", "--values", "1,0x1p-53,-1,-0x1p-53", "--format", "fp64:fp64:fp16", "--order", "random"});
  REQUIRE(!json.is_discarded());
  REQUIRE(json["results"].size() == 2);
  CHECK(json["results"][0]["bits"] == "0x8000");
  CHECK(json["results"][1]["bits"] == "0x0000");
  CHECK(json["results"][0]["value"].dump() == "-0.0");
  CHECK(json["results"][1]["value"].dump() == "0.0");
  CHECK(json["results"][0]["count"].get<int>() + json["results"][1]["count"].get<int>() == 1000);
  CHECK(json["input"]["condition"] == "inf");
  CHECK((json["error"]["relative"].is_null() || json["error"]["relative"]["max_abs"].is_null()));
  CHECK(json["vs"]["offset"].is_null());
}

TEST_CASE("infinities and NaN are texts") {
  const Json json =
      json_of({"sample", "--values", "65504,65504,-65504,-65504,1", "--format", "fp16", "--order", "random"});
  REQUIRE(!json.is_discarded());
  std::uint64_t inf = 0;
  std::uint64_t minus_inf = 0;
  for (const Json& result : json["results"]) {
    if (result["value"] == "inf") inf = result["count"].get<std::uint64_t>();
    if (result["value"] == "-inf") minus_inf = result["count"].get<std::uint64_t>();
    CHECK(result["error_ulp"].is_null() == result["value"].is_string());
  }
  CHECK(inf > 0);
  CHECK(minus_inf > 0);
  CHECK(json["nonfinite"]["inf"] == inf);
  CHECK(json["nonfinite"]["minus_inf"] == minus_inf);
  CHECK(json["nonfinite"]["nan"] == 0);
  CHECK(json["results"].front()["value"] == "-inf");
  CHECK(json["results"].back()["value"] == "inf");

  const Json nan = json_of({"sample", "--values", "inf,-inf,1", "--order", "random", "--samples", "10"});
  REQUIRE(!nan.is_discarded());
  CHECK(nan["input"]["exact"]["value"] == "nan");
  CHECK(nan["results"][0]["value"] == "nan");
  CHECK(nan["nonfinite"]["nan"] == 10);
}

TEST_CASE("more results than --max-distinct become a histogram") {
  const Json json = json_of({"sample", "--n", "2000", "--order", "random", "--samples", "500", "--max-distinct", "4"});
  REQUIRE(!json.is_discarded());
  CHECK(keys(json) ==
        std::string(kHead) + "order samples distinct histogram nonfinite error vs bounds unseen_mass arrival");
  CHECK(json["distinct"].is_null());
  CHECK(json["unseen_mass"].is_null());
  CHECK(keys(json["histogram"]) == "bin_ulp bins");
  CHECK(json["config"]["max_distinct"] == 4);
  const double unit = json["histogram"]["bin_ulp"].get<double>();
  CHECK(std::ldexp(1.0, std::ilogb(unit)) == unit);
  CHECK(json["histogram"]["bins"].size() <= 4);
  std::uint64_t counted = 0;
  for (const Json& bin : json["histogram"]["bins"]) counted += bin[1].get<std::uint64_t>();
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

TEST_CASE("the same data under another name gives the same bytes") {
  const TemporaryFolder folder;
  const double values[]{0.5, 0.125, 1e20, 3e10, -0.75, 11};
  std::string raw(sizeof values, '\0');
  std::memcpy(raw.data(), values, sizeof values);
  TemporaryFolder::write("a.f64", raw);
  TemporaryFolder::write("other name.f64", raw);
  TemporaryFolder::write("a.txt", "0.5\n0.125\n1e20\n3e10\n-0.75\n11\n");
  TemporaryFolder::write("rows", "5 4 3 2 1 0\n1 0 3 2 5 4\n");
  TemporaryFolder::write("rows again", "5 4 3 2 1 0\n1 0 3 2 5 4\n");
  TemporaryFolder::write("one", "5 4 3 2 1 0\n");
  TemporaryFolder::write("one again", "5 4 3 2 1 0\n");
  const auto of = [](const std::string& file, const std::string& rows, const std::string& one) {
    return bytes_of({"sample", "--input", file, "--order", "ao", "--order", "perm('" + one + "') | shuffle | seq",
                     "--arrival", "trace('" + rows + "')", "--baseline", "perm('" + one + "') | seq", "--samples",
                     "30"});
  };
  const std::string bytes = of("a.f64", "rows", "one");
  CHECK(of("other name.f64", "rows", "one") == bytes);
  CHECK(of("a.txt", "rows", "one") == bytes);
  CHECK(of("a.f64", "rows again", "one again") == bytes);
  CHECK(of("./a.f64", "./rows", std::filesystem::absolute("one").string()) == bytes);
  CHECK(bytes.find("rows") == std::string::npos);
  CHECK(bytes.find("a.f64") == std::string::npos);
  CHECK(Json::parse(bytes)["config"]["input"].get<std::string>().starts_with("xxh3:"));
  CHECK(Json::parse(bytes)["config"]["order"][0].get<std::string>().find("xxh3:") != std::string::npos);
  CHECK(bytes_of({"sample", "--values", "0.5,0.125,1e20,3e10,-0.75,11", "--order", "random"}) ==
        bytes_of({"sample", "--input", "a.f64", "--order", "random"}));
}

TEST_CASE("threads change no byte, nor does a second run") {
  const std::vector<Line> lines{
      {"--n", "3000", "--order", "warp"},
      {"--n", "500", "--order", "random", "--format", "fp32", "--max-distinct", "16"},
      {"--n", "300", "--order", "random_tree", "--format", "fp16", "--dist", "uniform(0,1)"},
      {"--n", "700", "--order", "spa", "--arrival", "slots(3,0.2)", "--format", "bf16:fp32:bf16", "--dist",
       "normal(0,1)"},
      {"--n", "400", "--order", "ao", "--order", "openmp(t=4)", "--order", "numpy", "--dist", "cancel(1e10)",
       "--samples", "97"},
      {"--n", "64", "--order", "shuffle | tree", "--range", "13:490", "--dist", "logspread(-1000,1000)"}};
  for (const Line& words : lines) {
    CAPTURE(words[3]);
    const Line arguments = Line{"sample"} + words;
    const std::string bytes = bytes_of(arguments + Line{"--threads", "1"});
    for (const char* threads : {"1", "2", "7", "0"}) CHECK(bytes_of(arguments + Line{"--threads", threads}) == bytes);
    CHECK(bytes_of(arguments + Line{"--quiet", "--color", "always"}) == bytes);
  }
}

TEST_CASE("parts sampled apart and merged through the library give the bytes of the program") {
  struct Case {
    const char* format;
    const char* distribution;
    const char* order;
    std::uint64_t n;
    std::uint64_t max_distinct;
  };
  for (const Case& c :
       {Case{"fp64", "uniform(0,10)", "warp", 2000, 1U << 20U}, Case{"fp32", "normal(0,1)", "random", 500, 8},
        Case{"fp16", "uniform(0,1)", "shuffle | tree", 200, 1U << 20U},
        Case{"bf16:fp32:bf16", "uniform(0,1)", "spa", 900, 2}}) {
    CAPTURE(c.order);
    ExperimentPlan plan{
        .orders = {c.order}, .formats = parse_formats(c.format), .samples = 301, .max_distinct = c.max_distinct};
    const Terms terms = generate_terms(c.distribution, c.n, plan.formats.terms, plan.seed);
    const std::string bytes =
        bytes_of({"sample", "--n", std::to_string(c.n), "--dist", c.distribution, "--format", c.format, "--order",
                  c.order, "--samples", "301", "--max-distinct", std::to_string(c.max_distinct)});
    for (const auto& cuts : {std::vector<std::uint64_t>{}, {1}, {100, 101, 250}, {300}}) {
      plan.cuts = cuts;
      CHECK(to_json(make_experiment(plan, terms, c.distribution)).dump(2) + "\n" == bytes);
    }
  }
}

TEST_CASE("the config alone repeats the run, byte by byte") {
  const TemporaryFolder folder;
  TemporaryFolder::write("terms.txt", "0.5\n0.1\n0.2\n3e10\n-0.7\n11\n");
  for (const Line& words : std::vector<Line>{
           {"--n", "2^10", "--order", "halving(32) | arrive | seq(acc=atomic)", "--seed", "5"},
           {"--n", "1_000", "--dist", "normal( 0, 1.50 )", "--order", "tile(64, 2)|halving(64)|arrive|seq", "--arrival",
            "slots(7,0.2)", "--format", "fp16:fp32", "--input-seed", "77", "--samples", "2e2"},
           {"--n", "300", "--order", "shuffle|seq", "--order", "pairwise(base=4)|seq", "--baseline", "reverse|seq",
            "--max-distinct", "5"}}) {
    CAPTURE(words[3]);
    const std::string bytes = bytes_of(Line{"sample"} + words);
    CHECK(bytes_of(repeat(Json::parse(bytes))) == bytes);
  }
  const Line input{"--input", "terms.txt"};
  const std::string bytes = bytes_of(Line{"sample", "--order", "shuffle | seq", "--format", "fp32"} + input);
  CHECK(bytes_of(repeat(Json::parse(bytes), input)) == bytes);
  const std::string sum = bytes_of({"sum", "--n", "100", "--order", "halving(32) | seq", "--seed", "9"});
  CHECK(bytes_of(repeat(Json::parse(sum))) == sum);

  Json named = json_of({"sample", "--n", "300", "--order", "warp", "--arrival", "jitter(3)"});
  named["order"]["name"] = nullptr;  // the config has what the name stands for
  CHECK(bytes_of(repeat(named)) == named.dump(2) + "\n");
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
  REQUIRE(!json.is_discarded());
  CHECK(json["input"]["products"] == true);
  CHECK(json["results"][0]["bits"] == "0x40a9140000000000");  // 3210
}
