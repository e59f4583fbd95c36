#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

// Stops the run after `delay`, or after twice that until at least one sample was done.
Outcome stopped(const Line& line, std::chrono::milliseconds delay) {
  for (;; delay *= 2) {
    std::stop_source source;
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(delay);
      source.request_stop();
    });
    Outcome outcome = run(line, source.get_token());
    if (!outcome.out.empty() || outcome.status == kFailed) return outcome;
  }
}

}  // namespace

TEST_CASE("a run that is stopped before its first sample says so and writes nothing") {
  const TemporaryFolder folder;
  TemporaryFolder::write("mine.json", "mine");
  std::stop_source source;
  source.request_stop();
  for (const Line& line : std::vector<Line>{{"sample", "--n", "100", "--order", "warp"},
                                            {"sample", "--n", "100", "--order", "warp", "--order", "random"},
                                            {"sample", "--n", "100", "--order", "seq"},
                                            {"sum", "--n", "100", "--order", "seq"}}) {
    const Outcome outcome = run(line + Line{"--json", "mine.json", "--csv", "new.csv"}, source.get_token());
    CHECK(outcome.status == kInterrupted);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(outcome.err.starts_with("orderlab: "));
    CHECK(TemporaryFolder::listing() == "./mine.json=mine\n");
  }
}

TEST_CASE("a run that is stopped midway reports the samples that were done") {
  for (const char* order : {"random", "warp"}) {
    const Line line{"sample", "--n",       "5000", "--order", order, "--seed",
                    "3",      "--threads", "2",    "--json",  "-",   "--samples"};
    const Outcome outcome = stopped(line + Line{"1e9"}, std::chrono::milliseconds(50));
    CHECK(outcome.status == kInterrupted);
    CHECK(outcome.err.empty());
    Json part = Json::parse(outcome.out);
    CHECK(part["partial"] == true);
    CHECK(part["config"]["samples"] == 1000000000);
    const auto done = part["samples"].count();
    CHECK(done >= 1);
    CHECK(done < 1000000000);

    Json whole = Json::parse(run(line + Line{std::to_string(done)}).out);
    CHECK(!whole.contains("partial"));
    for (const char* key :
         {"input", "order", "samples", "distinct", "results", "nonfinite", "error", "vs", "bounds", "unseen_mass"})
      CHECK(part[key].dump() == whole[key].dump());
  }
}

TEST_CASE("a part of a range that is stopped begins where the range does") {
  const Line line{"sample", "--n", "5000", "--order", "random", "--json", "-", "--samples", "1e9", "--range"};
  const Json part = Json::parse(stopped(line + Line{"1000:5e8"}, std::chrono::milliseconds(20)).out);
  const auto done = part["samples"].count();
  const Json same = Json::parse(run(line + Line{"1000:" + std::to_string(1000 + done)}).out);
  CHECK(part["results"].dump() == same["results"].dump());
}

TEST_CASE("the text of a stopped run says that it was stopped, and files are whole") {
  const TemporaryFolder folder;
  const Outcome outcome =
      stopped({"sample", "--n", "5000", "--order", "random", "--samples", "1e9", "--json", "part.json"},
              std::chrono::milliseconds(20));
  CHECK(outcome.status == kInterrupted);
  CHECK(outcome.out.ends_with("incomplete: these are the samples that were drawn\n"));
  CHECK(Json::parse(TemporaryFolder::read("part.json"))["partial"] == true);
}

TEST_CASE("of several orders, a stopped run reports those that were begun and lists all that were asked for") {
  const Outcome outcome = stopped({"sample", "--n", "5000", "--order", "seq", "--order", "random", "--order", "ao",
                                   "--samples", "1e9", "--json", "-"},
                                  std::chrono::milliseconds(100));
  CHECK(outcome.status == kInterrupted);
  const Json json = Json::parse(outcome.out);
  CHECK(json["partial"] == true);
  CHECK(json["config"]["order"].size() == 3);
  REQUIRE(json.contains("runs"));
  CHECK(json["runs"].size() == 2);
  CHECK(json["runs"].dump().find("arrive") == std::string::npos);
}

TEST_CASE("a stop that comes after the last sample changes nothing") {
  const Line line{"sample", "--n", "50", "--order", "warp", "--samples", "5", "--json", "-"};
  std::stop_source source;
  const Outcome outcome = run(line, source.get_token());
  CHECK(outcome.status == kDone);
  CHECK(outcome.out == run(line).out);
}
