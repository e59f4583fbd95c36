// What `check` refuses, and what it leaves behind when it is stopped.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

using Line = std::vector<std::string>;
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const Line kRandom{"check", "--n", "1000", "--dist", "uniform(0,1)", "--format", "fp32", "--order", "random"};
const Line kFew{"check", "--n", "6", "--order", "random"};

std::uint64_t samples_of(const Line& arguments) {
  return Json::parse(run(arguments + Line{"--json", "-", "--quiet"}).out)["samples"].count();
}

void refuses(const Line& arguments, const std::string& part) {
  const std::string before = TemporaryFolder::listing();
  const Outcome outcome = run(arguments + Line{"--json", "never.json"});
  CAPTURE(outcome.err);
  CAPTURE(part);
  CHECK(outcome.status == kFailed);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(outcome.err.starts_with("orderlab: check: "));
  CHECK(has(outcome.err, part));
  CHECK(TemporaryFolder::listing() == before);
}

}  // namespace

TEST_CASE("--samples may ask for more samples and not for fewer than the confidence takes") {
  const TemporaryFolder folder;
  CHECK(samples_of(kRandom + Line{"--value", "1", "--samples", "2500"}) == 2500);
  refuses(kRandom + Line{"--value", "1", "--samples", "1999"}, "at least 2000");
  refuses(kRandom + Line{"--value", "1", "--value", "2", "--samples", "2000"}, "at least 4000");
  CHECK(samples_of(kRandom + Line{"--value", "1", "--samples", "20", "--confidence", "0.9"}) == 20);
}

TEST_CASE("a check that is asked wrongly says what would be right") {
  const TemporaryFolder folder;
  TemporaryFolder::write("empty.txt", "");
  TemporaryFolder::write("comments.txt", "# nothing\n\n");
  TemporaryFolder::write("bad.txt", "0.5\n0.25\nhello\n");
  TemporaryFolder::write("hex.txt", "0.5\n0x1.000001p0\n");
  TemporaryFolder::write("bits.csv", "bits:0x3f80\n");
  TemporaryFolder::write("wide.f64", std::string("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8));  // 0.1
  refuses(kRandom, "no result to check");
  refuses(kRandom + Line{"--value", "hello"}, "--value hello: is no number");
  refuses(kRandom + Line{"--value", "0x1.0000001p0"}, "is no fp32 number, as a hex float must be");
  refuses(kRandom + Line{"--value", "bits:3f800000"}, "exactly 8 hexadecimal digits");
  refuses(kRandom + Line{"--value", "bits:0x3ff0000000000000"}, "exactly 8 hexadecimal digits");
  refuses(kRandom + Line{"--value", "bits:0x3f80000g"}, "exactly 8 hexadecimal digits");
  refuses(kRandom + Line{"--value", "bits:0x-f800000"}, "exactly 8 hexadecimal digits");
  refuses(kRandom + Line{"--value", ""}, "is empty");
  refuses(kRandom + Line{"--values", "0.1,0.2"}, "no such file; --values names a file of results here");
  refuses(kRandom + Line{"--values", "."}, "is a folder");
  refuses(kRandom + Line{"--values", "empty.txt"}, "empty.txt: is empty; give at least 1 result");
  refuses(kRandom + Line{"--values", "comments.txt"}, "no result in it");
  refuses(kRandom + Line{"--values", "bad.txt"}, "bad.txt:3: 'hello' is no number");
  refuses(kRandom + Line{"--values", "hex.txt"}, "hex.txt:2: '0x1.000001p0' is no fp32 number");
  refuses(kRandom + Line{"--values", "bits.csv"}, "bits.csv:1: 'bits:0x3f80' is no bit pattern of fp32");
  refuses(kRandom + Line{"--values", "wide.f64"}, "wide.f64: number 1 is no fp32 number");
  for (const char* confidence : {"0", "1", "-1", "1.5", "99.9", "nan", "x", "99%"})
    refuses(kRandom + Line{"--value", "1", "--confidence", confidence}, "must lie between 0 and 1");
  refuses(kRandom + Line{"--value", "1", "--confidence", "0.9999999999999999"}, "ask for less confidence");
  refuses(kRandom + Line{"--value", "1", "--memory", "lots"}, "--memory lots");
  refuses({"check", "--order", "random", "--value", "1"}, "no terms: give --n COUNT or --input FILE");
  refuses({"check", "--order", "random", "--value", "1", "--n", "3", "--input", "bad.txt"}, "two sources: give --n or");
  refuses({"check", "--n", "5", "--value", "1"}, "no order");
  refuses({"check", "--input", "-", "--values", "-", "--order", "random"}, "standard input has one list");
}

TEST_CASE("a check that is stopped before it has anything to say writes nothing") {
  const TemporaryFolder folder;
  std::stop_source source;
  source.request_stop();
  for (const Line& line : {kRandom, kFew}) {
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
