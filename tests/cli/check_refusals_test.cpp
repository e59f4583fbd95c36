// What `check` refuses, and what it leaves behind when it is stopped.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

const Line kThousand{"check", "--n", "1000", "--dist", "uniform(0,1)", "--format", "fp32", "--order", "random"};
const Line kSix{"check", "--n", "6", "--order", "random"};

std::uint64_t samples_of(const Line& arguments) {
  return Json::parse(run(arguments + Line{"--json", "-", "--quiet"}).out)["samples"].count();
}

}  // namespace

TEST_CASE("--samples may ask for more samples and not for fewer than the confidence takes") {
  const TemporaryFolder folder;
  CHECK(samples_of(kThousand + Line{"--value", "1", "--samples", "2500"}) == 2500);
  refuses_with(kThousand + Line{"--value", "1", "--samples", "1999"}, "at least 2000");
  refuses_with(kThousand + Line{"--value", "1", "--value", "2", "--samples", "100"},
               "2 results at confidence 0.999; at least 125");
  CHECK(samples_of(kThousand + Line{"--value", "1", "--samples", "20", "--confidence", "0.9"}) == 20);
}

TEST_CASE("a check that is asked wrongly says what would be right") {
  const TemporaryFolder folder;
  TemporaryFolder::write("empty.txt", "");
  TemporaryFolder::write("comments.txt", "# nothing\n\n");
  TemporaryFolder::write("bad.txt", "0.5\n0.25\nhello\n");
  TemporaryFolder::write("hex.txt", "0.5\n0x1.000001p0\n");
  TemporaryFolder::write("bits.csv", "bits:0x3f80\n");
  TemporaryFolder::write("wide.f64", std::string("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8));  // 0.1
  refuses_with(kThousand, "no result to check");
  refuses_with(kThousand + Line{"--value", "hello"}, "--value hello: is not a number");
  refuses_with(kThousand + Line{"--value", "0x1.0000001p0"}, "is not exact in fp32, as a hex float must be");
  refuses_with(kThousand + Line{"--value", "bits:3f800000"}, "exactly 8 hexadecimal digits");
  refuses_with(kThousand + Line{"--value", "bits:0x3ff0000000000000"}, "exactly 8 hexadecimal digits");
  refuses_with(kThousand + Line{"--value", "bits:0x3f80000g"}, "exactly 8 hexadecimal digits");
  refuses_with(kThousand + Line{"--value", "bits:0x-f800000"}, "exactly 8 hexadecimal digits");
  refuses_with(kThousand + Line{"--value", ""}, "is empty");
  refuses_with(kThousand + Line{"--values", "0.1,0.2"}, "no such file; --values names a file of results here");
  refuses_with(kThousand + Line{"--values", "."}, "is a folder");
  refuses_with(kThousand + Line{"--values", "empty.txt"}, "empty.txt: is empty; give at least 1 result");
  refuses_with(kThousand + Line{"--values", "comments.txt"}, "no result in it");
  refuses_with(kThousand + Line{"--values", "bad.txt"}, "bad.txt:3: 'hello' is not a number");
  refuses_with(kThousand + Line{"--values", "hex.txt"}, "hex.txt:2: '0x1.000001p0' is not exact in fp32");
  refuses_with(kThousand + Line{"--values", "bits.csv"}, "bits.csv:1: 'bits:0x3f80' is not a bit pattern of fp32");
  refuses_with(kThousand + Line{"--values", "wide.f64"}, "wide.f64: number 1 is not exact in fp32");
  for (const char* confidence : {"0", "1", "-1", "1.5", "99.9", "nan", "x", "99%"})
    refuses_with(kThousand + Line{"--value", "1", "--confidence", confidence}, "must lie between 0 and 1");
  refuses_with(kThousand + Line{"--value", "1", "--confidence", "0.9999999999999999"}, "ask for less confidence");
  refuses_with(kThousand + Line{"--value", "1", "--memory", "lots"}, "--memory lots");
  refuses_with({"check", "--order", "random", "--value", "1"}, "no terms: give --n COUNT or --input FILE");
  refuses_with({"check", "--order", "random", "--value", "1", "--n", "3", "--input", "bad.txt"},
               "terms from several sources; give one of them");
  refuses_with({"check", "--order", "random", "--value", "1", "--input", "bad.txt", "--dist", "normal(0,1)"},
               "--dist normal(0,1): is about generated terms, but they come from --input bad.txt");
  refuses_with({"check", "--n", "5", "--value", "1"}, "no order");
  refuses_with({"check", "--input", "-", "--values", "-", "--order", "random"}, "standard input has one list");
}

TEST_CASE("a check that is stopped before it has anything to say writes nothing") {
  const TemporaryFolder folder;
  std::stop_source source;
  source.request_stop();
  for (const Line& line : {kThousand, kSix}) {
    const Outcome outcome = run(line + Line{"--value", "1", "--json", "never.json", "--quiet"}, source.get_token());
    CHECK(outcome.status == kInterrupted);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(TemporaryFolder::listing().empty());
  }
}

TEST_CASE("a check that is stopped midway gives the verdicts of the samples that were done, and no joint one") {
  const Line line = Line{"check", "--n", "5000", "--order", "random", "--samples", "1e9"} +
                    Line{"--value", "1", "--value", "nan", "--json", "-", "--quiet"};
  Outcome outcome{kFailed, "", ""};
  for (std::chrono::milliseconds delay(50); outcome.out.empty(); delay *= 2) {
    std::stop_source source;
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(delay);
      source.request_stop();
    });
    outcome = run(line, source.get_token());
    REQUIRE(outcome.status == kInterrupted);
  }
  const Json json = Json::parse(outcome.out);
  CHECK(json["partial"] == true);
  CHECK(json["config"]["samples"] == 1000000000);
  CHECK(json["samples"].count() >= 1);
  CHECK(json["samples"].count() < 1000000000);
  CHECK(json["values"][0]["verdict"] == "impossible");
}
