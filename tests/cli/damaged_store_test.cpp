// Stores with flipped bits and lost rows: no command gives out what was not written.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "orderlab/philox.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

namespace fs = std::filesystem;

// Lists of results, bins, and enumerations.
constexpr const char* kSweepOfSeeds =
    "title = 'To be damaged'\nquestion = 'Who notices?'\nn = [6, 300]\norder = ['random', 'spa', 'sequential']\n"
    "format = 'fp32'\nsamples = [200, 'all']\nmax_distinct = [8, 1000]\nexclude = [{ n = 300, samples = 'all' }]\n";

/// What every command says of an intact store.
struct Intact {
  std::string bytes;
  std::string csv;
  std::string json;
  std::string page;
};

Outcome export_of(const std::string& store, const std::string& flag) { return run({"export", store, flag, "-"}); }
Outcome page_of(const std::string& store) { return run({"report", store, "-o", "-"}); }
Outcome swept(const std::string& store) { return run({"sweep", "c.toml", "--db", store, "--threads", "1"}); }

void put(const std::string& name, const std::string& bytes) {
  for (const char* beside : {"", "-wal", "-shm", "-journal"}) fs::remove(name + beside);
  TemporaryFolder::write(name, bytes);
}

Intact make_intact() {
  TemporaryFolder::write("c.toml", kSweepOfSeeds);
  CHECK(swept("s").status == kDone);
  return {TemporaryFolder::read("s"), export_of("s", "--csv").out, export_of("s", "--json").out, page_of("s").out};
}

// Whether the command refused the store, in one line; where it did not, it said what it should.
bool store_refused(const Outcome& outcome, const std::string& expected) {
  if (outcome.status == kDone) {
    CHECK(outcome.out == expected);
    return false;
  }
  CHECK(outcome.status == kFailed);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  return true;
}

/// What became of flipped bits.
struct Tally {
  int harmless = 0;
  int mended = 0;   ///< by `sweep`
  int refused = 0;  ///< by `sweep` too
};

void check_page_and_merge(const Intact& intact, bool damaged) {
  CHECK(store_refused(page_of("t"), intact.page) == damaged);
  for (const char* beside : {"m", "m-wal", "m-shm"}) fs::remove(beside);
  const Outcome merged = run({"merge", "--db", "m", "t"});
  CHECK((merged.status == kDone) == !damaged);
  CHECK(fs::exists("m") == !damaged);
  if (!damaged) CHECK(export_of("m", "--json").out == intact.json);
}

void check_store(const Intact& intact, Tally& tally, bool with_page_and_merge = true) {
  const bool damaged = store_refused(export_of("t", "--csv"), intact.csv);
  CHECK(store_refused(export_of("t", "--json"), intact.json) == damaged);
  if (with_page_and_merge) check_page_and_merge(intact, damaged);
  const Outcome again = swept("t");
  if (again.status == kDone) {
    CHECK(export_of("t", "--json").out == intact.json);
    if (damaged) CHECK(export_of("t", "--csv").out == intact.csv);
    if (damaged) CHECK(again.err.find("is damaged: ") != std::string::npos);
    ++(damaged ? tally.mended : tally.harmless);
  } else {
    CHECK(again.status == kFailed);
    CHECK(lines_of(again.err).size() == 1);
    ++tally.refused;
  }
}

void check_flip(const Intact& intact, std::size_t at, unsigned bit, Tally& tally) {
  CAPTURE(at);
  CAPTURE(bit);
  std::string bytes = intact.bytes;
  bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1u << bit));
  put("t", bytes);
  check_store(intact, tally, at % 4 == 0);  // a page takes longer than all else
}

// Statements by SQLite itself, as another program would make them.
void execute(const std::string& path, const std::string& statements) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE("no flipped bit of a store changes an export without a word, and sweep mends what it can") {
  const TemporaryFolder folder;
  const Intact intact = make_intact();
  Tally header;
  for (std::size_t at = 0; at < 100; ++at) check_flip(intact, at, static_cast<unsigned>(at * 5 % 8), header);
  Tally anywhere;
  const std::uint64_t flips = testing::trials(200);
  for (std::uint64_t i = 0; i < flips; ++i) {
    const auto drawn = RandomStream(1, 0, 0).block(i);
    check_flip(intact, drawn[0] % intact.bytes.size(), drawn[1] % 8, anywhere);
  }
  MESSAGE("header: " << header.harmless << " harmless, " << header.mended << " mended, " << header.refused
                     << " refused");
  MESSAGE("anywhere: " << anywhere.harmless << " harmless, " << anywhere.mended << " mended, " << anywhere.refused
                       << " refused");
  CHECK(anywhere.mended > static_cast<int>(flips / 3));
}

TEST_CASE("what another program changed or took away is named, and sweep puts it back") {
  const TemporaryFolder folder;
  const Intact intact = make_intact();
  const struct {
    const char* statement;
    const char* named;
  } kCases[] = {
      {"UPDATE point SET wall_ns = wall_ns + 1 WHERE hash = (SELECT point FROM plan WHERE position = 2)",
       "t: is damaged: point 2 (n 6, dist uniform(0,10), format fp32, order shuffle | seq); `orderlab sweep`"},
      {"UPDATE point SET cpu = cpu || 'x' WHERE hash = (SELECT point FROM plan WHERE position = 0)", "point 0 (n 6"},
      {"UPDATE point SET hash = 'xxh3:' WHERE hash = (SELECT point FROM plan WHERE position = 1)", "a point (n 6"},
      {"DELETE FROM point WHERE hash = (SELECT point FROM plan WHERE position = 3)", "which is lost"},
      {"DELETE FROM point", "finished points that are lost"},
      {"DELETE FROM plan WHERE position = 4", "row 4 of the plan"},
      {"DELETE FROM plan WHERE position = (SELECT max(position) FROM plan)", "the plan, which has lost rows"},
      {"UPDATE plan SET order_text = 'seq' WHERE position = 1", "row 1 of the plan (seq)"},
      {"UPDATE sweep SET title = 'Another'", "the title, the question or the hash of the plan"},
      {"DELETE FROM finished", "the number of finished points"},
      {"UPDATE finished SET points = points - 1", "the number of finished points"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.statement);
    put("t", intact.bytes);
    execute("t", c.statement);
    const Outcome refusal = export_of("t", "--csv");
    CAPTURE(refusal.err);
    CHECK(refusal.status == kFailed);
    CHECK(refusal.err.find(c.named) != std::string::npos);
    Tally tally;
    check_store(intact, tally);
    CHECK(tally.mended == 1);
  }
}

TEST_CASE("a store that was killed loses its last transactions at most, wherever its log is damaged") {
  const TemporaryFolder folder;
  const Intact intact = make_intact();
  sqlite3* reader = nullptr;  // keeps the log from being taken over into the store
  REQUIRE(sqlite3_open("s", &reader) == SQLITE_OK);
  fs::remove("w");
  TemporaryFolder::write("c.toml", kSweepOfSeeds + std::string("seed = [1, 2]\n"));
  REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM point", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK(swept("s").status == kDone);
  const std::string store = TemporaryFolder::read("s");
  const std::string log = TemporaryFolder::read("s-wal");
  REQUIRE(log.size() > 4096);
  for (std::uint64_t i = 0; i < testing::trials(20); ++i) {
    std::string bytes = log;
    const std::size_t at = RandomStream(2, 0, 0).block(i)[0] % log.size();
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    put("t", store);
    TemporaryFolder::write("t-wal", bytes);
    CAPTURE(at);
    const Outcome outcome = export_of("t", "--json");
    CHECK(outcome.status == kDone);
    CHECK(outcome.err.empty());
  }
  sqlite3_close(reader);
}

TEST_CASE("reading leaves nothing beside a store, and neither does a name with letters of a URI") {
  const TemporaryFolder folder;
  const Intact intact = make_intact();
  for (const char* name : {"t", "a b?immutable=0&c#d%41", "file:x"}) {
    put(name, intact.bytes);
    const std::string before = TemporaryFolder::listing();
    CHECK(export_of(name, "--csv").out == intact.csv);
    CHECK(page_of(name).out == intact.page);
    CHECK(TemporaryFolder::listing() == before);
    CHECK(swept(name).status == kDone);
  }
}
