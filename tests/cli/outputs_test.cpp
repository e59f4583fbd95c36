#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

const Line kWarpOf{"sample", "--n", "500", "--order", "warp", "--samples", "30"};
const Line kSum{"sum", "--n", "500", "--order", "numpy"};

}  // namespace

TEST_CASE("a file holds what standard output would, and replaces the file that was there") {
  const TemporaryFolder folder;
  TemporaryFolder::write("a.json", std::string(100000, 'x'));
  for (const Line& line : {kWarpOf, kSum}) {
    const Outcome json = run(line + Line{"--json", "-"});
    const Outcome csv = run(line + Line{"--csv", "-"});
    const Outcome both = run(line + Line{"--json", "a.json", "--csv", "a.csv"});
    CHECK(both.status == kDone);
    CHECK(TemporaryFolder::read("a.json") == json.out);
    CHECK(TemporaryFolder::read("a.csv") == csv.out);
    CHECK(TemporaryFolder::listing() == "./a.csv=" + csv.out + "\n./a.json=" + json.out + "\n");
    CHECK(both.out == run(line).out);
    CHECK(both.err.empty());
  }
}

TEST_CASE("--json - prints JSON alone, --csv - rows alone") {
  const Outcome json = run(kWarpOf + Line{"--json", "-", "--color", "always"});
  CHECK_NOTHROW(Json::parse(json.out));
  CHECK(json.err.empty());
  const Outcome csv = run(kWarpOf + Line{"--csv", "-", "--color", "always"});
  CHECK(csv.out.starts_with("order,bits,value,count,error_ulp,bin_ulp\n\"halving(32)"));
  CHECK(csv.out.find('\x1b') == std::string::npos);
  CHECK(csv.err.empty());
}

TEST_CASE("--html - and --npy - print the page or the array alone") {
  const TemporaryFolder folder;
  TemporaryFolder::write("prompts", "a = 1\n");
  const Line infer_tiny{"infer", "tiny", "--prompts", "prompts", "--batch", "1,8", "--whole", "--tokens", "2"};
  const Line sample_op{"sample", "--op", "sum(axis=1)", "--shape", "2x300", "--order", "warp", "--samples", "3"};
  const Line sum_op{"sum", "--op", "sum(axis=1)", "--shape", "2x300", "--order", "pairwise"};
  struct Printed {
    Line line;
    std::string flag;
  };
  const std::vector<Printed> cases{
      {kWarpOf, "--html"},
      {sample_op, "--html"},
      {sample_op, "--npy"},
      {sum_op, "--npy"},
      {{"compare", "0.5,0.52,0.51,0.53", "0.56,0.55,0.58,0.57"}, "--html"},
      {{"solve", "cg", "--matrix", "poisson2d(4)", "--samples", "2"}, "--html"},
      {{"arrivals", "uniform", "--blocks", "40", "--draws", "4"}, "--html"},
      {{"arrivals", "uniform", "--blocks", "40", "--draws", "4"}, "--orders"},
      {infer_tiny, "--html"},
      {infer_tiny, "--logits"},
  };
  for (const auto& [line, flag] : cases) {
    CAPTURE(line.front());
    CAPTURE(flag);
    const Outcome printed = run(line + Line{flag, "-"});
    CAPTURE(printed.err);
    CHECK(printed.status == kDone);
    const Outcome written = run(line + Line{flag, "file"});
    CHECK(!written.out.empty());
    CHECK((printed.out == TemporaryFolder::read("file")));
  }
}

TEST_CASE("a file beside --json - is written too") {
  const TemporaryFolder folder;
  const Outcome outcome = run(kWarpOf + Line{"--json", "-", "--csv", "a.csv"});
  CHECK_NOTHROW(Json::parse(outcome.out));
  CHECK(TemporaryFolder::read("a.csv") == run(kWarpOf + Line{"--csv", "-"}).out);
}

TEST_CASE("--quiet prints nothing, but writes files and what goes to standard output") {
  const TemporaryFolder folder;
  for (const Line& line : {kWarpOf, kSum}) {
    const Outcome quiet = run(line + Line{"--quiet", "--json", "a.json"});
    CHECK(quiet.status == kDone);
    CHECK(quiet.out.empty());
    CHECK(quiet.err.empty());
    CHECK(TemporaryFolder::read("a.json") == run(line + Line{"--json", "-", "--quiet"}).out);
    CHECK(run(line + Line{"--quiet"}).out.empty());
  }
  CHECK(run({"sample", "--n", "0", "--order", "warp", "--quiet"}).err.starts_with("orderlab: "));
}

TEST_CASE("the CSV has a row for each result of the JSON, in its order") {
  const auto json = json_of({"sample", "--n", "300", "--order", "warp", "--order", "seq", "--samples", "50"});
  const auto rows =
      lines_of(run({"sample", "--n", "300", "--order", "warp", "--order", "seq", "--samples", "50", "--csv", "-"}).out);
  REQUIRE(rows.size() == 1 + json["runs"][0]["results"].size() + json["runs"][1]["results"].size());
  std::size_t at = 1;
  for (const auto& part : json["runs"])
    for (const auto& result : part["results"]) {
      const std::string begin = "\"" + part["order"]["expression"].text() + "\"," + result["bits"].text() + ",";
      CHECK(rows[at].starts_with(begin));
      CHECK(rows[at].find("," + result["count"].dump() + ",") != std::string::npos);
      ++at;
    }
}

TEST_CASE("the CSV of bins has no bits, and its counts add up") {
  const auto rows = lines_of(
      run({"sample", "--n", "2000", "--order", "random", "--samples", "200", "--max-distinct", "3", "--csv", "-"}).out);
  int counted = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    REQUIRE(rows[i].starts_with("\"shuffle | seq\",,"));
    const auto value = rows[i].find(',', std::string("\"shuffle | seq\",,").size());
    counted += std::stoi(rows[i].substr(value + 1));
  }
  CHECK(counted == 200);
}

TEST_CASE("an output that is no regular file is written in place") {
  CHECK(run(kSum + Line{"--json", "/dev/null", "--csv", "/dev/null"}).status == kDone);
}

TEST_CASE("colors are used when asked for or on a terminal, and never change a letter") {
  const auto on_terminal = [](const Line& line) {
    std::ostringstream out;
    std::ostringstream err;
    Session session{.out = out, .err = err, .out_is_terminal = true};
    run_program(line, session);
    return out.str();
  };
  const std::string plain = run(kWarpOf).out;
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(run(kWarpOf + Line{"--color", "always"}).out.find("\x1b[") != std::string::npos);
  CHECK(on_terminal(kWarpOf + Line{"--color", "never"}) == plain);
  unsetenv("NO_COLOR");
  CHECK(on_terminal(kWarpOf).find("\x1b[") != std::string::npos);
  setenv("NO_COLOR", "1", 1);
  CHECK(on_terminal(kWarpOf) == plain);
  unsetenv("NO_COLOR");
}
