// fp80 accumulators on the command line: results, documents, and one clear line where they are refused.
#include <doctest/doctest.h>

#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab::cli;

namespace {

const Line kTie{"--values", "1,1.6263032587282567e-19,-1", "--order", "seq"};  // 1.5 * 2^-63

std::string bits_of_sum(const Line& line) { return json_of(Line{"sum"} + line)["results"][0]["bits"].text(); }

}  // namespace

TEST_CASE("sums with fp80 accumulators are those of a long double") {
  CHECK(bits_of_sum(kTie + Line{"--format", "fp64:fp80:fp64"}) == "0x3c10000000000000");  // 2^-62
  CHECK(bits_of_sum(kTie + Line{"--format", "fp64:fp80"}) == "0x3c10000000000000");
  CHECK(bits_of_sum(kTie + Line{"--format", "fp64"}) == "0x0000000000000000");
  CHECK(bits_of_sum({"--values", "1e308,1e308,-1e308", "--order", "seq", "--format", "fp64:fp80:fp64"}) ==
        bits_of_sum({"--values", "1e308", "--order", "seq"}));
  CHECK(json_of(Line{"sum"} + kTie + Line{"--format", "fp64:longdouble"})["config"]["format"].text() ==
        "fp64:fp80:fp64");
}

TEST_CASE("sample, enumerate, tolerance, worst and check know fp80 accumulators") {
  const Line few{"--n", "6", "--dist", "normal(0,1)", "--order", "random", "--format", "fp64:fp80:fp64"};
  const auto all = json_of(Line{"enumerate"} + few);
  REQUIRE(all["results"].is_array());
  const auto some = json_of(Line{"sample", "--samples", "200"} + few);
  REQUIRE(some["results"].is_array());
  for (const auto& result : some["results"]) {
    bool found = false;
    for (const auto& known : all["results"]) found = found || known["bits"].text() == result["bits"].text();
    CHECK(found);
  }
  CHECK(json_of(Line{"worst"} + few)["least"]["bits"].text() == all["results"].front()["bits"].text());
  CHECK(has(run(Line{"tolerance", "--coverage", "0.5"} + few).out, "fp64:fp80:fp64"));
  CHECK(run(Line{"check", "--value", "bits:" + all["results"].front()["bits"].text()} + few).status == kDone);
  const Line pair{"tolerance", "--n", "40", "--order", "seq", "--coverage", "0.5", "--against", "seq"};
  CHECK(run(pair + Line{"--against-format", "fp80"}).status == kDone);
  CHECK(run(pair + Line{"--against-format", "fp80:fp32"}).status == kDone);
  CHECK(run(pair + Line{"--against-format", "longdouble"}).status == kDone);
}

TEST_CASE("nodes of a tree that are added in fp80 say so") {
  const auto tree = json_of(Line{"tree"} + kTie + Line{"--format", "fp64:fp80:fp64"});
  int extended = 0;
  for (const auto& node : tree["nodes"]) {
    extended += node["format"].text() == "fp80" ? 1 : 0;
    CHECK(node["bits"].text().size() == 18);
  }
  CHECK(extended == 5);  // three terms, two additions
  CHECK(has(run({"list", "formats"}).out, "of accumulators alone"));
}

TEST_CASE("what fp80 accumulators cannot do is refused by the command line") {
  const TemporaryFolder folder;
  const Line seq{"sum", "--n", "9", "--order", "seq", "--format"};
  for (const char* format : {"fp80", "fp80:fp64", "fp64:fp80:fp80", "fp64:fp64:fp80"})
    refuses(seq + Line{format}, "fp80 is a format of accumulators alone");
  const Line mixed{"--n", "9", "--format", "fp64:fp80:fp64", "--order"};
  refuses(Line{"sum"} + mixed + Line{"seq(acc=fma)"}, "acc=fma does not go with fp80");
  refuses(Line{"sum"} + mixed + Line{"chunks(3) | round(fp32) | seq"}, "`round` does not go with fp80");
  refuses(Line{"sum"} + mixed + Line{"in(fp64) | seq"}, "`in` does not go with fp80");
  refuses(Line{"sample", "--op", "index_add", "--shape", "8x8", "--ratio", "0.5", "--format", "fp64:fp80:fp64"},
          "no GPU has fp80 accumulators");
  refuses(Line{"check", "--value", "mean:1"} + mixed + Line{"seq"}, "no result is fp80");
  refuses({"tolerance", "--n", "9", "--order", "seq", "--against", "seq", "--against-format", "fp64:fp80"},
          "write fp80 or fp80:fp64");
  refuses(Line{"enumerate", "--n", "64", "--order", "warp", "--format", "fp64:fp80:fp64"}, "are numbers of fp80");
}
