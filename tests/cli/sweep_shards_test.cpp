// Sweeps over many machines: merge --complete, sweep --status, and what is refused.
#include <doctest/doctest.h>

#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "cli/numbered_files.hpp"
#include "cli/refusals.hpp"

using namespace orderlab::cli;

namespace {

namespace fs = std::filesystem;

constexpr const char* kShardConfig =
    "n = [50, 200]\norder = ['random', 'spa', 'seq']\narrival = ['uniform', 'jitter(3)']\ninput = [0, 1]\nsamples = "
    "5\n";  // 16 points

Outcome sweep_shard(const std::string& number, const std::string& count = "5") {
  return run({"sweep", "c.toml", "--db", "part-" + number + ".sqlite", "--shard", number + "/" + count, "--quiet"});
}

Outcome status_of(const std::string& stores, const Line& more = {}) {
  return run(Line{"sweep", "--status", "--db", stores} + more);
}

constexpr const char* kAll = "part-{shard}.sqlite";

}  // namespace

TEST_CASE("merge --complete names what is missing, merges the rest, and is content when all is there") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  CHECK(run({"sweep", "c.toml", "--db", "whole"}).status == kDone);
  for (const char* number : {"1", "3", "5"}) CHECK(sweep_shard(number).status == kDone);
  TemporaryFolder::write("part-4.sqlite", "");
  const Line merge{"merge", "--complete", "--db", "all"};
  const Outcome first =
      run(merge + Line{"part-1.sqlite", "part-2.sqlite", "part-3.sqlite", "part-4.sqlite", "part-5.sqlite"});
  CHECK(first.status == kExitNo);
  CHECK(first.out ==
        "10 of 16 points in all, 10 of them new\n"
        "missing: 6 points\n"
        "  point 1 (random), shard 2/5\n"
        "  point 3 (spa, uniform), shard 4/5\n"
        "  point 6 (seq), shard 2/5\n"
        "  point 8 (random), shard 4/5\n"
        "  point 11 (spa, uniform), shard 2/5\n"
        "  point 13 (spa, jitter(3)), shard 4/5\n"
        "unfinished shards of 5: 2,4\n"
        "to finish, run and merge again:\n"
        "  orderlab sweep CONFIG --db part-2.sqlite --shard 2/5\n"
        "  orderlab sweep CONFIG --db part-4.sqlite --shard 4/5\n");
  CHECK(first.err ==
        "orderlab: merge: part-2.sqlite: no such file; counts as a store without points\n"
        "orderlab: merge: part-4.sqlite: has no sweep yet: its program ended before it had written the plan; counts as "
        "a store without points\n");
  CHECK(sweep_shard("2").status == kDone);
  CHECK(sweep_shard("4").status == kDone);
  CHECK(run(merge + Line{"part-2.sqlite"}).status == kExitNo);
  const Outcome last = run(merge + Line{"part-4.sqlite"});
  CHECK(last.status == kDone);
  CHECK(last.out == "16 of 16 points in all, 3 of them new\n");
  for (const char* flag : {"--csv", "--json"})
    CHECK(run({"export", "all", flag, "-"}).out == run({"export", "whole", flag, "-"}).out);
}

TEST_CASE("with --quiet the exit status alone tells whether all is there, and an interrupt is said") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  for (const char* number : {"1", "2"}) {
    CHECK(sweep_shard(number, "2").status == kDone);
    const int expected = number[0] == '1' ? kExitNo : kDone;
    const std::string store = std::string("part-") + number + ".sqlite";
    for (const Outcome& outcome :
         {run({"merge", "--complete", "--quiet", "--db", "all", store}), status_of(kAll, {"--quiet"})}) {
      CHECK(outcome.status == expected);
      CHECK(outcome.out.empty());
      CHECK(outcome.err.empty());
    }
  }
  std::stop_source stop;
  stop.request_stop();
  const Outcome merged = run({"merge", "--db", "none", "part-1.sqlite"}, stop.get_token());
  CHECK(merged.status == kInterrupted);
  CHECK(merged.err == "orderlab: merge: interrupted: 0 new points are in none; the same command continues\n");
  CHECK(!fs::exists("none"));
  CHECK(run({"sweep", "--status", "--db", kAll}, stop.get_token()).status == kInterrupted);
}

TEST_CASE("merge --complete without shards says what one process has to finish") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  CHECK(sweep_shard("1").status == kDone);
  CHECK(run({"merge", "--db", "half", "part-1.sqlite"}).status == kDone);
  const Outcome outcome = run({"merge", "--complete", "--db", "all", "half"});
  CHECK(outcome.status == kExitNo);
  CHECK(has(outcome.out, "missing: 12 points\n  point 1 (random)\n"));
  CHECK(outcome.out.ends_with("to finish, run:\n  orderlab sweep CONFIG --db all\n"));
}

TEST_CASE("a long list of what is missing is cut") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", "n = { from = 1, to = 60, step = 1 }\norder = 'seq'\n");
  CHECK(sweep_shard("3", "60").status == kDone);
  const Outcome outcome = run({"merge", "--complete", "--db", "all", "part-3.sqlite"});
  CHECK(has(outcome.out, "missing: 59 points\n"));
  CHECK(has(outcome.out, "  point 20 (seq), shard 21/60\n  and 39 more\n"));
  CHECK(has(outcome.out, "unfinished shards of 60: 1,2,4-60\n"));
  CHECK(outcome.out.ends_with("--db part-21.sqlite --shard 21/60\n  and 39 more\n"));
  const Outcome status = status_of(kAll);
  CHECK(has(status.out, "1 of 60 shards are finished\n60 points: 1 finished, 59 missing\n"));
}

TEST_CASE("a store that is missing is named like the others, where their names agree") {
  const auto advice = [](const std::vector<std::pair<std::string, std::string>>& stores) {
    const TemporaryFolder folder;
    TemporaryFolder::write("c.toml", kShardConfig);
    fs::create_directory("run3");
    Line merge{"merge", "--complete", "--db", "all"};
    for (const auto& [store, number] : stores) {
      CHECK(run({"sweep", "c.toml", "--db", store, "--shard", number + "/8", "--quiet"}).status == kDone);
      merge.push_back(store);
    }
    const Outcome outcome = run(merge);
    CHECK(outcome.status == kExitNo);
    const std::size_t at = outcome.out.find("--db ") + 5;
    return outcome.out.substr(at, outcome.out.find(" --shard", at) - at);
  };
  CHECK(advice({{"part-3.sqlite3", "3"}}) == "part-1.sqlite3");
  CHECK(advice({{"run3/part-3.sqlite3", "3"}}) == "run3/part-1.sqlite3");
  CHECK(advice({{"part-3", "3"}}) == "part-1");
  CHECK(advice({{"part-3-of-8", "3"}, {"part-8-of-8", "8"}}) == "part-1-of-8");
  CHECK(advice({{"part-8-of-8", "8"}}) == "FILE");
  CHECK(advice({{"part-3.sqlite", "3"}, {"other-8.sqlite", "8"}}) == "FILE");
  CHECK(advice({{"x.sqlite", "3"}}) == "FILE");
}

TEST_CASE("sweep --status shows all shards from any of the stores") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  for (const char* number : {"1", "3", "5"}) CHECK(sweep_shard(number).status == kDone);
  TemporaryFolder::write("part-4.sqlite", "");
  const std::string before = TemporaryFolder::listing();
  const Outcome outcome = status_of(kAll);
  CHECK(outcome.status == kExitNo);
  CHECK(outcome.out ==
        "shard  store                        points  finished  missing\n"
        "  1/5  part-1.sqlite                     4         4        0\n"
        "  2/5  no store                          3         0        3\n"
        "  3/5  part-3.sqlite                     3         3        0\n"
        "  4/5  part-4.sqlite (no plan yet)       3         0        3\n"
        "  5/5  part-5.sqlite                     3         3        0\n"
        "16 points: 10 finished, 6 missing\n"
        "unfinished shards of 5: 2,4\n"
        "to finish, run:\n"
        "  orderlab sweep CONFIG --db part-2.sqlite --shard 2/5\n"
        "  orderlab sweep CONFIG --db part-4.sqlite --shard 4/5\n");
  CHECK(status_of(kAll, {"c.toml"}).out.ends_with("  orderlab sweep c.toml --db part-4.sqlite --shard 4/5\n"));
  CHECK(TemporaryFolder::listing() == before);
  const Outcome one = status_of("part-3.sqlite");
  CHECK(one.status == kExitNo);
  CHECK(has(one.out, "  3/5  part-3.sqlite       3         3        0\n"));
  CHECK(has(one.out, "16 points: 3 finished, 13 missing\n"));
  for (const char* number : {"2", "4"}) CHECK(sweep_shard(number).status == kDone);
  const Outcome all = status_of(kAll);
  CHECK(all.status == kDone);
  CHECK(all.out.ends_with("16 points: 16 finished, 0 missing\n"));
}

TEST_CASE("sweep --status with a config needs no store, and without one needs a store with a sweep") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  TemporaryFolder::write("empty", "");
  const Outcome none = status_of(kAll, {"c.toml"});
  CHECK(none.status == kExitNo);
  CHECK(has(none.out, "16 points: 0 finished, 16 missing\n"));
  CHECK(none.out.ends_with("  orderlab sweep c.toml --db part-1.sqlite\n"));
  CHECK(status_of("absent", {"c.toml"}).out.ends_with("  orderlab sweep c.toml --db absent\n"));
  refuses({"sweep", "--status", "--db", kAll}, "no file has this name with a number in place of {shard}");
  refuses({"sweep", "--status", "--db", "absent"}, "absent: no such file");
  refuses({"sweep", "--status", "--db", "empty"}, "empty: has no sweep yet");
  refuses({"sweep", "--status"}, "--status: no store: give --db");
  refuses({"sweep", "--status", "--db", kAll, "--shard", "1/5"}, "so --shard is of no use");
  refuses({"sweep", "--status", "--db", kAll, "--dry-run"}, "so --dry-run is of no use");
  refuses({"sweep", "--status", "--db", kAll, "--threads", "2"}, "so --threads is of no use");
  CHECK(sweep_shard("1").status == kDone);
  TemporaryFolder::write("other.toml", "n = 7\norder = 'seq'\n");
  refuses({"sweep", "--status", "other.toml", "--db", kAll}, "part-1.sqlite: is of another sweep than the config");
  CHECK(run({"sweep", "other.toml", "--db", "part-2.sqlite"}).status == kDone);
  refuses({"sweep", "--status", "--db", kAll}, "part-2.sqlite: is of another sweep than part-1.sqlite");
}

TEST_CASE("sweep --status counts a damaged store as one without points, and says so") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  for (const char* number : {"1", "2"}) CHECK(sweep_shard(number, "2").status == kDone);
  std::string bytes = TemporaryFolder::read("part-2.sqlite");
  TemporaryFolder::write("part-2.sqlite", bytes.substr(0, bytes.size() / 2));
  const Outcome outcome = status_of(kAll);
  CHECK(outcome.status == kExitNo);
  CHECK(has(outcome.out, "  2/2  part-2.sqlite (not readable)       8         0        8\n"));
  CHECK(has(outcome.err, "orderlab: sweep: part-2.sqlite: is damaged"));
  CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("sweep --status offers no command that would be refused, on a file that is no store") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  CHECK(sweep_shard("1", "3").status == kDone);
  TemporaryFolder::write("part-2.sqlite", std::string(2000, 'x'));
  const Outcome outcome = status_of(kAll, {"c.toml"});
  CHECK(outcome.status == kExitNo);
  CHECK(has(outcome.out, "  2/3  part-2.sqlite (not readable) "));
  CHECK(
      outcome.out.ends_with("  orderlab sweep c.toml --db FILE --shard 2/3\n"
                            "  orderlab sweep c.toml --db part-3.sqlite --shard 3/3\n"));
  CHECK(has(outcome.err, "part-2.sqlite: is not a database"));
  for (const Line& more : {Line{"c.toml"}, Line{"c.toml", "--quiet"}, Line{}})
    refuses(Line{"sweep", "--status", "--db", "part-2.sqlite"} + more, "part-2.sqlite: is not a database");
}

TEST_CASE("sweep --status says which folder or file cannot be read") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  TemporaryFolder::write("text", "");
  fs::create_directory("d1");
  const std::string too_long(300, 'x');
  for (const Line& config : {Line{}, Line{"c.toml"}}) {
    const auto refused = [&](const std::string& stores, const std::string& said) {
      refuses(Line{"sweep", "--status", "--db", stores} + config, said);
    };
    refused("text/p-{shard}.s", "text/: cannot be read (");
    refused(too_long + "/p-{shard}.s", too_long + "/: cannot be read (");
    refused("d{shard}/" + too_long, "d1/" + too_long + ": cannot be read (");
    refused(too_long, too_long + ": cannot be read (");
  }
}

TEST_CASE("what is about shards is refused for a sweep over a command") {
  const TemporaryFolder folder;
  TemporaryFolder::write("s.toml", "command = 'solve'\nsize = [8, 9]\n");
  const std::string why = ": is about sweeps over sums and operations; s.toml sweeps over the command `solve`";
  refuses({"sweep", "--status", "s.toml", "--db", "s"}, "--status" + why);
  refuses({"sweep", "s.toml", "--shard", "1/2", "--db", "s"}, "--shard 1/2" + why);
  refuses({"sweep", "s.toml", "--db", "s{shard}"}, "--db s{shard}: {shard} is the number of a shard");
}

TEST_CASE("of far too many shards those that have points are shown") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  CHECK(sweep_shard("3", "10000000").status == kDone);
  const Outcome outcome = status_of(kAll);
  CHECK(lines_of(outcome.out).size() == 1 + 16 + 3 + 15);
  CHECK(has(outcome.out, "unfinished shards of 10000000: 1,2,4-16\n"));
}

TEST_CASE("shards by several N are shown and merged together") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  CHECK(sweep_shard("1", "4").status == kDone);
  CHECK(run({"sweep", "c.toml", "--db", "part-2.sqlite", "--shard", "1/2", "--quiet"}).status == kDone);
  CHECK(run({"sweep", "c.toml", "--db", "part-3.sqlite", "--shard", "2/2", "--quiet"}).status == kDone);
  const Outcome outcome = status_of(kAll);
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, "also 1/4 in part-1.sqlite\n16 points: 16 finished, 0 missing\n"));
  CHECK(run({"merge", "--complete", "--db", "all", "part-1.sqlite", "part-2.sqlite", "part-3.sqlite"}).out ==
        "16 of 16 points in all, 16 of them new\n");
}

TEST_CASE("what cannot be merged is refused in one line, with --complete and without") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kShardConfig);
  TemporaryFolder::write("text", std::string(2000, 'x'));
  fs::create_directory("folder");
  for (const char* number : {"1", "2"}) CHECK(sweep_shard(number, "2").status == kDone);
  TemporaryFolder::write("other.toml", "n = 7\norder = 'seq'\n");
  CHECK(run({"sweep", "other.toml", "--db", "other"}).status == kDone);
  const std::string bytes = TemporaryFolder::read("part-2.sqlite");
  std::string flipped = bytes;
  const std::size_t at = flipped.find("\"n\":200");
  REQUIRE(at != std::string::npos);
  flipped[at + 5] ^= 1;
  TemporaryFolder::write("flipped", flipped);
  TemporaryFolder::write("cut", bytes.substr(0, bytes.size() / 2));
  for (const Line& complete : {Line{}, Line{"--complete"}}) {
    const Line merge = Line{"merge", "--db", "all"} + complete;
    refuses(merge, "no stores to merge: name them after --db all");
    refuses(merge + Line{"part-1.sqlite", "text"}, "text: is not a database");
    refuses(merge + Line{"part-1.sqlite", "folder"}, "folder: is not a regular file");
    refuses(merge + Line{"part-1.sqlite", "other"}, "other: is of another sweep than part-1.sqlite");
    refuses(merge + Line{"part-1.sqlite", "flipped"}, "flipped: is damaged: ");
    refuses(merge + Line{"part-1.sqlite", "cut"}, "cut: is damaged");
    refuses(merge + Line{"part-1.sqlite", "part-2.sqlite", "./part-1.sqlite"}, "./part-1.sqlite: is given twice");
    refuses(Line{"merge", "--db", "part-1.sqlite", "part-2.sqlite", "part-1.sqlite"} + complete, "part-1.sqlite");
    refuses(Line{"merge", "--db", "folder", "part-2.sqlite"} + complete, "folder: is not a regular file");
    refuses(Line{"merge", "--db", "other", "part-2.sqlite"} + complete, "other: is of another sweep");
  }
  refuses({"merge", "--db", "all", "part-1.sqlite", "absent"}, "absent: no such file");
}

TEST_CASE("names with the number of a shard") {
  const TemporaryFolder folder;
  for (const char* name : {"p-2.s", "p-10.s", "p-1.s", "p-01.s", "p-0.s", "p-1.s-wal", "p-x.s", "p-.s", "q-1.s"})
    TemporaryFolder::write(name, "");
  fs::create_directory("run7");
  TemporaryFolder::write("run7/p7.s", "");
  CHECK(numbered_files("p-{shard}.s") == Line{"p-1.s", "p-2.s", "p-10.s"});
  CHECK(numbered_files("run{shard}/p{shard}.s") == Line{"run7/p7.s"});
  CHECK(numbered_files("./p-{shard}.s").size() == 3);
  CHECK(numbered_files("absent/p-{shard}.s").empty());
  CHECK(numbered_files("absent") == Line{"absent"});
  CHECK(with_number("a{shard}b{shard}", 12) == "a12b12");
}
