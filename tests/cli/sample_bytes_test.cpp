// The bytes of the JSON of `sample`: they depend on the config alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "orderlab/terms.hpp"
#include "show/make_sample.hpp"
#include "show/sample.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

std::string bytes_of(const Line& arguments) {
  const Outcome outcome = run(arguments + Line{"--json", "-"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
  return outcome.out;
}

// The command line that a config describes; for given terms it needs the file too.
Line repeat(const Json& document, const Line& input = {}) {
  const Json& config = document["config"];
  Line arguments = Line{document["command"].text(), "--format", config["format"].text()} + input;
  if (input.empty())
    arguments = arguments + Line{"--n",          config["n"].dump(),         "--dist", config["dist"].text(),
                                 "--input-seed", config["input_seed"].dump()};
  const Json orders = config["order"].is_array() ? config["order"] : Json::array({config["order"]});
  for (const Json& order : orders) arguments = arguments + Line{"--order", order.text()};
  if (config.contains("samples"))
    arguments = arguments + Line{"--seed",         config["seed"].dump(),        "--samples", config["samples"].dump(),
                                 "--max-distinct", config["max_distinct"].dump()};
  if (!config["baseline"].is_null()) arguments = arguments + Line{"--baseline", config["baseline"].text()};
  return arguments;
}

}  // namespace

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
  CHECK(Json::parse(bytes)["config"]["input"].text().starts_with("xxh3:"));
  CHECK(Json::parse(bytes)["config"]["order"][0].text().find("xxh3:") != std::string::npos);
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
    SamplePlan plan{
        .orders = {c.order}, .formats = parse_formats(c.format), .samples = 301, .max_distinct = c.max_distinct};
    const Terms terms = generate_terms(c.distribution, c.n, plan.formats.terms, plan.seed);
    const std::string bytes =
        bytes_of({"sample", "--n", std::to_string(c.n), "--dist", c.distribution, "--format", c.format, "--order",
                  c.order, "--samples", "301", "--max-distinct", std::to_string(c.max_distinct)});
    for (const auto& cuts : {std::vector<std::uint64_t>{}, {1}, {100, 101, 250}, {300}}) {
      plan.cuts = cuts;
      CHECK(to_json(make_sample(plan, terms, c.distribution)) == bytes);
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
