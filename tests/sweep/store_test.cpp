#include "sweep/store.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "sweep/config_text.hpp"
#include "sweep/merge.hpp"
#include "sweep/store_schema.hpp"
#include "sweep/sweep.hpp"

using namespace orderlab;

namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "n = [10, 20]\norder = ['random', 'seq']\nsamples = 5\n";

// A file of the folder, and what it takes to make it.
struct Files {
  ConfigText config{kConfig};
  std::string path(const std::string& name) const { return (config.folder() / name).string(); }
  std::string store() const { return path("s.sqlite"); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  SweepOutcome sweep(const std::string& to, Shard shard = {}) const {
    const SweepPlan plan = config.plan();
    Store store(path(to), Store::Access::create);
    return run_sweep(plan, store, {.shard = shard, .memory_bytes = 1e9});
  }
};

// Statements by SQLite itself, as another program would make them.
void execute(const std::string& path, const std::string& statements) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

std::string refusal(const std::string& path, Store::Access access) {
  try {
    const Store store(path, access);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return std::string(error.what()).substr(path.size());
  }
  return "opened";
}

std::vector<std::string> contents(const std::string& path) {
  std::vector<std::string> rows;
  const Store store(path, Store::Access::read);
  store.for_each_row([&](const StoredRow& row) {
    rows.push_back(std::to_string(row.position) + row.order_text + row.arrival_text);
    const StoredPoint& p = row.point;
    for (const std::string* text : {&p.hash, &p.config, &p.terms, &p.summation, &p.metrics, &p.counts,
                                    &p.made_by.version, &p.made_by.flags, &p.made_by.cpu})
      rows.push_back(*text);
  });
  return rows;
}

}  // namespace

TEST_CASE("a store keeps what it was given, once, in the order of the plan") {
  const Files files;
  CHECK(files.sweep("s.sqlite").added == 4);
  const std::vector<std::string> first = contents(files.store());
  CHECK(first.size() == 40);
  CHECK(first[0] == "0random");
  CHECK(first[30] == "3seq");
  const SweepOutcome again = files.sweep("s.sqlite");
  CHECK(again.there == 4);
  CHECK(again.added == 0);
  CHECK(contents(files.store()) == first);
}

TEST_CASE("a changed config goes on with the points that it shares, and no point is dropped") {
  const Files files;
  files.sweep("s.sqlite");
  std::ofstream(files.config.path()) << "n = [20, 30]\norder = ['random', 'seq']\nsamples = 5\ntitle = 'new'\n";
  const SweepOutcome changed = files.sweep("s.sqlite");
  CHECK(changed.there == 2);
  CHECK(changed.added == 2);
  CHECK(Store(files.store(), Store::Access::read).sweep().title == "new");
  CHECK(contents(files.store()).size() == 40);
  std::ofstream(files.config.path()) << kConfig;
  CHECK(files.sweep("s.sqlite").there == 4);
}

TEST_CASE("shards merged in any order hold what one run holds") {
  const Files files;
  files.sweep("whole.sqlite");
  for (std::size_t i = 1; i <= 3; ++i) files.sweep(std::to_string(i) + ".sqlite", {i, 3});
  std::vector<std::string> parts{files.path("1.sqlite"), files.path("2.sqlite"), files.path("3.sqlite")};
  int merged = 0;
  do {
    const std::string to = files.path("m" + std::to_string(++merged) + ".sqlite");
    const MergeOutcome outcome = merge_stores(to, parts);
    CHECK(outcome.added == 4);
    CHECK(outcome.stored == 4);
    CHECK(contents(to) == contents(files.path("whole.sqlite")));
  } while (std::next_permutation(parts.begin(), parts.end()));
  CHECK(merged == 6);
  CHECK(merge_stores(files.path("m1.sqlite"), parts).added == 0);
}

TEST_CASE("a merge goes on where it was killed, whatever it had begun with") {
  const Files files;
  files.sweep("whole.sqlite");
  const std::vector<std::string> parts{files.path("whole.sqlite")};
  files.write("no_bytes", "");
  { const Store no_plan(files.path("no_plan"), Store::Access::create); }
  for (const char* name : {"no_bytes", "no_plan"}) {
    CHECK(merge_stores(files.path(name), parts).stored == 4);
    CHECK(contents(files.path(name)) == contents(files.path("whole.sqlite")));
  }
}

TEST_CASE("titles of merged stores do not depend on their order") {
  const Files files;
  files.sweep("1.sqlite", {1, 2});
  std::ofstream(files.config.path()) << kConfig << "title = 'A title'\n";
  files.sweep("2.sqlite", {2, 2});
  const std::vector<std::string> stores{files.path("1.sqlite"), files.path("2.sqlite")};
  merge_stores(files.path("ab"), stores);
  merge_stores(files.path("ba"), std::vector<std::string>(stores.rbegin(), stores.rend()));
  CHECK(Store(files.path("ab"), Store::Access::read).sweep().title ==
        Store(files.path("ba"), Store::Access::read).sweep().title);
}

TEST_CASE("points wait while another program holds the store") {
  const Files files;
  files.sweep("s.sqlite");
  Store store(files.store(), Store::Access::write);
  std::vector<StoredPoint> points;
  store.for_each_point([&](const StoredPoint& point) { points.push_back(point); });
  points[0].hash = "xxh3:" + std::string(32, '1');
  {
    sqlite3* other = nullptr;
    REQUIRE(sqlite3_open(files.store().c_str(), &other) == SQLITE_OK);
    REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
    CHECK(!store.add_unless_locked(std::span(points).first(1)));
    CHECK_THROWS_WITH_AS(store.add(std::span(points).first(1)), doctest::Contains("is locked"), Error);
    sqlite3_close(other);
  }
  CHECK(store.add_unless_locked(std::span(points).first(1)));
  CHECK(store.has(*ContentHash::from_text(points[0].hash)));
}

TEST_CASE("stores that do not belong together are not merged, and nothing is written") {
  const Files files;
  files.sweep("1.sqlite", {1, 2});
  files.sweep("2.sqlite", {2, 2});
  files.sweep("other.sqlite");
  const std::vector<std::string> both{files.path("1.sqlite"), files.path("2.sqlite")};
  CHECK_THROWS_WITH_AS(merge_stores(both[0], both), doctest::Contains("is merged with itself"), Error);
  const SweepPlan plan = files.config.plan();
  std::vector<StoredPoint> points;
  Store(files.path("other.sqlite"), Store::Access::read).for_each_point([&](const StoredPoint& point) {
    points.push_back(point);
    points.back().metrics = "{}";
  });
  {
    Store store(files.path("differing.sqlite"), Store::Access::create);
    store.set_plan(plan);
    store.add(points);
  }
  const std::vector<std::string> differing{both[0], files.path("differing.sqlite")};
  CHECK_THROWS_WITH_AS(merge_stores(files.path("m.sqlite"), differing), doctest::Contains("has other results than"),
                       Error);
  std::ofstream(files.config.path()) << "n = 1\norder = 'seq'\n";
  CHECK_THROWS_WITH_AS(files.sweep("other.sqlite"), doctest::Contains("has 4 points of another sweep"), Error);
  execute(files.path("other.sqlite"), "UPDATE point SET metrics = '{}'");  // damaged, and still another sweep's
  const std::string before = files.read("other.sqlite");
  CHECK_THROWS_WITH_AS(files.sweep("other.sqlite"), doctest::Contains("has 4 points of another sweep"), Error);
  CHECK(files.read("other.sqlite") == before);
  const std::vector<std::string> damaged{both[0], files.path("other.sqlite")};
  CHECK_THROWS_WITH_AS(merge_stores(files.path("m.sqlite"), damaged), doctest::Contains("other.sqlite: is damaged"),
                       Error);
  files.sweep("another.sqlite");
  const std::vector<std::string> two{both[0], files.path("another.sqlite")};
  CHECK_THROWS_WITH_AS(merge_stores(files.path("m.sqlite"), two), doctest::Contains("is of another sweep than"), Error);
  CHECK(!fs::exists(files.path("m.sqlite")));
}

TEST_CASE("what is no store of this program is refused in one line and stays as it is") {
  const Files files;
  files.write("text", "this is text, long enough to be no header of a database file\n" + std::string(200, 'x'));
  execute(files.path("other"), "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
  files.sweep("newer");
  execute(files.path("newer"), "PRAGMA user_version = 4");
  files.sweep("older");
  execute(files.path("older"), "PRAGMA user_version = 1");
  files.sweep("schema");
  execute(files.path("schema"), "DROP VIEW results; ALTER TABLE point RENAME TO points");
  files.sweep("damaged");
  std::string bytes = files.read("damaged");
  REQUIRE(bytes.size() > 8192);
  for (std::size_t i = 4096; i < 8192; ++i) bytes[i] = static_cast<char>(i * 7);
  files.write("damaged", bytes);
  const struct {
    const char* name;
    const char* message;
  } kCases[] = {
      {"text", ": is not a database"},
      {"other", ": is a database of another program"},
      {"newer", ": was written by a newer orderlab (schema 4, this one reads 3)"},
      {"older",
       ": has schema 1, this orderlab reads 2 and 3; `orderlab sweep` with a new name computes its points again"},
      {"schema", ": has another schema, without `point`"},
      {"damaged", ": is damaged"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.name);
    const std::string before = files.read(c.name);
    for (const Store::Access access : {Store::Access::read, Store::Access::write, Store::Access::create}) {
      const std::string message = refusal(files.path(c.name), access);
      CAPTURE(message);
      CHECK(message.starts_with(c.message));
      CHECK(message.find('\n') == std::string::npos);
    }
    CHECK(files.read(c.name) == before);
  }
  CHECK(refusal(files.path("absent"), Store::Access::read) == ": no such file; `orderlab sweep` makes one");
  CHECK(!fs::exists(files.path("absent")));
  CHECK(refusal(files.config.folder().string(), Store::Access::create) == ": is not a regular file");
  CHECK(refusal(files.path("no/folder"), Store::Access::create).starts_with(": cannot be opened"));
}

TEST_CASE("a store that another program writes is refused at once, not after the work") {
  const Files files;
  files.sweep("s.sqlite");
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(files.store().c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK(refusal(files.store(), Store::Access::create).starts_with(": is locked by another program"));
  CHECK(refusal(files.store(), Store::Access::read) == "opened");
  sqlite3_close(other);
  CHECK(contents(files.store()).size() == 40);
}

TEST_CASE("the view has plain columns for any SQLite client") {
  const Files files;
  files.sweep("s.sqlite");
  sqlite3* client = nullptr;
  REQUIRE(sqlite3_open(files.store().c_str(), &client) == SQLITE_OK);
  sqlite3_stmt* row = nullptr;
  const char* query = "SELECT n, samples, distinct_results, error_ulp_max_abs >= 0, wall_s >= 0, exact FROM results";
  REQUIRE(sqlite3_prepare_v2(client, query, -1, &row, nullptr) == SQLITE_OK);
  for (const int n : {10, 10, 20, 20}) {
    REQUIRE(sqlite3_step(row) == SQLITE_ROW);
    CHECK(sqlite3_column_int(row, 0) == n);
    CHECK(sqlite3_column_int(row, 1) >= 1);
    CHECK(sqlite3_column_int(row, 2) >= 1);
    CHECK(sqlite3_column_int(row, 3) == 1);
    CHECK(sqlite3_column_int(row, 4) == 1);
    CHECK(sqlite3_column_bytes(row, 5) > 0);
  }
  CHECK(sqlite3_step(row) == SQLITE_DONE);
  sqlite3_finalize(row);
  sqlite3_close(client);
}

TEST_CASE("a store written before an axis and a metric were added is read, and gets their columns with the next plan") {
  const Files files;
  files.sweep("s.sqlite");
  const auto older = [](std::string_view column) { return column != "seed" && column != "vs_spread"; };
  execute(files.store(), "DROP VIEW results; " + results_view(older));
  CHECK(refusal(files.store(), Store::Access::read) == "opened");
  CHECK(contents(files.store()).size() == 40);
  {
    Store store(files.store(), Store::Access::create);
    store.set_plan(ConfigText("n = 10\norder = 'random'\nsamples = 5\n").plan());
  }
  execute(files.store(), "SELECT seed, vs_spread FROM results");
  execute(files.store(), "DROP VIEW results; CREATE VIEW results AS SELECT position FROM plan");
  CHECK(refusal(files.store(), Store::Access::read).starts_with(": is damaged: `results` is not as orderlab makes it"));
}
