// orderlab sweep, merge, export as commands: exports that depend on the config alone, interrupts, refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <thread>

#include "cli/refusals.hpp"
#include "config/axis.hpp"

using namespace orderlab::cli;
using orderlab::Axis;
using orderlab::axis_list;
using orderlab::Json;

namespace {

constexpr const char* kConfig =
    "title = 'A test'\nn = [50, 2000]\norder = ['random', 'spa', 'ao', 'seq']\nformat = ['fp64', 'fp16:fp32']\n"
    "arrival = ['uniform', 'jitter(3)']\ninput = [0, 1]\nsamples = 60\n"
    "exclude = [{ n = 50, order = 'ao' }]\n";

std::string exported(const std::string& store, const std::string& flag = "--csv") {
  const Outcome outcome = run({"export", store, flag, "-"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.err.empty());
  return outcome.out;
}

Outcome sweep(const std::string& store, const Line& more = {}) {
  return run(Line{"sweep", "c.toml", "--db", store} + more);
}

}  // namespace

TEST_CASE("an export is the same for any number of threads and any split into shards") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kConfig);
  const Outcome one = sweep("1.sqlite", {"--threads", "1"});
  CHECK(one.status == kDone);
  CHECK(one.out == "40 points in 1.sqlite: 40 new, 0 from before\n");
  for (const char* threads : {"2", "3", "7"})
    CHECK(sweep(std::string("t") + threads, {"--threads", threads}).status == kDone);
  for (const char* shard : {"1/4", "2/4", "3/4", "4/4"})
    CHECK(sweep(std::string("s") + shard[0], {"--shard", shard, "--quiet"}).out.empty());
  CHECK(run({"merge", "--db", "all", "s3", "s1", "s4", "s2"}).out == "40 of 40 points in all, 40 of them new\n");
  for (const char* flag : {"--csv", "--json"}) {
    const std::string whole = exported("1.sqlite", flag);
    CHECK(lines_of(whole).size() == (std::string(flag) == "--csv" ? 41 : 40));
    for (const char* store : {"t2", "t3", "t7", "all"}) CHECK(exported(store, flag) == whole);
  }
}

TEST_CASE("a point says what `sample` says of the same sampling") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kConfig);
  CHECK(sweep("s").status == kDone);
  int compared = 0;
  for (const std::string& line : lines_of(exported("s", "--json"))) {
    const Json point = Json::parse(line);
    if (point["config"].contains("input")) continue;  // another array than the one that sample takes
    Line same{"sample", "--n",      point["config"]["n"].dump(),     "--order", point["order_text"].text(), "--samples",
              "60",     "--format", point["config"]["format"].text()};
    if (!point["arrival_text"].is_null()) same = same + Line{"--arrival", point["arrival_text"].text()};
    const Json sample = json_of(same);
    REQUIRE(!sample.is_null());
    for (const auto& [key, value] : point.members()) {
      if (key == "order") continue;
      if (key == "position" || key == "order_text" || key == "arrival_text") continue;
      if (std::any_of(axis_list().begin(), axis_list().end(), [&](const Axis* axis) { return axis->exported == key; }))
        continue;
      CAPTURE(key);
      CHECK(sample[key].dump() == value.dump());
    }
    CHECK(sample["order"]["expression"] == point["order"]["expression"]);
    CHECK(sample["order"]["height"] == point["order"]["height"]);
    ++compared;
  }
  CHECK(compared == 20);
}

TEST_CASE("samples = 'all' stores what `enumerate` finds") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml",
                         "n = [9, 700]\norder = ['random', 'spa(32)', 'seq']\nformat = 'fp32'\nsamples = 'all'\n"
                         "dist = 'normal(0,1)'\nexclude = [{ n = 700, order = 'random' }]\n");
  CHECK(sweep("s", {"--threads", "2"}).status == kDone);
  const auto lines = lines_of(exported("s", "--json"));
  CHECK(lines.size() == 5);
  for (const std::string& line : lines) {
    const Json point = Json::parse(line);
    CHECK(point["config"]["samples"] == "all");
    const Json all = json_of({"enumerate", "--n", point["config"]["n"].dump(), "--order", point["order_text"].text(),
                              "--dist", "normal(0,1)", "--format", "fp32"});
    REQUIRE(!all.is_null());
    CHECK(point["samples"].dump() == all["orders"].text());
    for (const char* key : {"input", "distinct", "nonfinite", "error", "vs", "bounds", "unseen_mass"}) {
      CAPTURE(key);
      REQUIRE(all.contains(key));
      CHECK(point[key].dump() == all[key].dump());
    }
  }
}

TEST_CASE("a stopped sweep keeps what is finished, says so, and the same command goes on") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", "n = 3000\norder = 'random'\ninput = { from = 0, to = 300 }\nsamples = 100\n");
  int stops = 0;
  for (std::chrono::milliseconds delay(20);; delay *= 2) {
    std::stop_source source;
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(delay);
      source.request_stop();
    });
    const Outcome outcome = run({"sweep", "c.toml", "--db", "s", "--threads", "2"}, source.get_token());
    if (outcome.status == kDone) break;
    REQUIRE(outcome.status == kInterrupted);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    if (outcome.err == "orderlab: sweep: interrupted while planning; no point was run\n") continue;  // a slow machine
    ++stops;
    CHECK(outcome.err.ends_with("of 301 points are in s; the same command continues\n"));
  }
  CHECK(stops >= 1);
  CHECK(sweep("s").out == "301 points in s: 0 new, 301 from before\n");
  CHECK(sweep("fresh").status == kDone);
  CHECK(exported("s") == exported("fresh"));
}

TEST_CASE("a dry run shows the points and touches nothing") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kConfig);
  const Outcome outcome = run({"sweep", "c.toml", "--dry-run", "--shard", "2/2", "--threads", "1"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.out.starts_with("A test\n\npoint"));
  CHECK(lines_of(outcome.out).size() == 2 + 1 + 20 + 2);
  CHECK(outcome.out.find("\n20 points, about ") != std::string::npos);
  CHECK(outcome.out == run({"sweep", "c.toml", "--dry-run", "--shard", "2/2", "--threads", "1"}).out);
  CHECK(!std::filesystem::exists("s"));
}

TEST_CASE("a dry run of thousands of points shows both ends and the sum of all") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml",
                         "n = { from = 1, to = 50, step = 1 }\norder = 'seq'\ninput = { from = 0, to = 49 }\n");
  const Outcome outcome = run({"sweep", "c.toml", "--dry-run"});
  CHECK(outcome.status == kDone);
  const auto lines = lines_of(outcome.out);
  CHECK(lines.size() == 1 + 12 + 1 + 12 + 2);
  CHECK(lines[13].find("...") != std::string::npos);
  CHECK(lines[14].starts_with(" 2488  50 "));
  CHECK(lines.back().starts_with("2500 points, about "));
}

TEST_CASE("what cannot be swept, merged or exported is refused in one line and leaves everything as it was") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kConfig);
  TemporaryFolder::write("bad.toml", "n = [\n");
  TemporaryFolder::write("text",
                         "no database, however long this text may be: it goes on for more than one hundred bytes");
  TemporaryFolder::write("empty", "");
  refuses({"sweep"});
  refuses({"sweep", "c.toml"});
  refuses({"sweep", "absent.toml", "--db", "s"});
  refuses({"sweep", "bad.toml", "--db", "s"});
  refuses({"sweep", "c.toml", "--db", "text"});
  refuses({"sweep", "c.toml", "--db", "no/folder"});
  refuses({"sweep", "c.toml", "--db", "s", "--threads", "x"});
  for (const char* shard : {"2", "0/2", "3/2", "1/0", "a/b", "1/2/3", "3/18446744073709551615"})
    refuses({"sweep", "c.toml", "--db", "s", "--shard", shard});
  refuses({"sweep", "c.toml", "--db", "s", "--shard", "3/2"},
          "--shard 3/2: i must be a whole number from 1 to N, such as 1/4 for the first of four");
  refuses({"merge"});
  refuses({"merge", "--db", "s"});
  refuses({"merge", "--db", "s", "absent"});
  refuses({"merge", "--db", "s", "text"});
  refuses({"export"});
  refuses({"export", "absent", "--csv", "e.csv"});
  refuses({"export", "text", "--csv", "e.csv"});
  refuses({"export", "empty", "--csv", "e.csv"});
  CHECK(sweep("s", {"--shard", "40/40"}).status == kDone);
  refuses({"export", "s"});
  refuses({"export", "s", "--csv", "./s"});
  refuses({"report", "s", "-o", "s"});
  refuses({"report", "s", "-o", "x", "--spec", "./x/"});
  CHECK(exported("s").size() > 100);  // still a store
  TemporaryFolder::write("other.toml", "title = 'Another'\nn = 7\norder = 'seq'\n");
  refuses({"sweep", "other.toml", "--db", "s"});
  CHECK(run({"sweep", "other.toml", "--db", "s"}).err ==
        "orderlab: sweep: s: has 1 point of another sweep (A test), none of which this config has; give a new name\n");
  refuses({"sweep", ".", "--db", "s"});
  refuses({"export", "s", "--csv", "-", "--json", "-"});
  refuses({"merge", "--db", "s", "s"});
}
