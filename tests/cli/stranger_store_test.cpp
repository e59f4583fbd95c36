// Stores from strangers: every row has its right hash and says what no orderlab has written. Nothing in it is computed,
// opened or run: each command that reads it ends, done or with one line.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "config/json.hpp"
#include "reference/hard_inputs.hpp"
#include "sweep/content_hash.hpp"
#include "sweep/record_store.hpp"
#include "sweep/stored_row.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

namespace fs = std::filesystem;

constexpr const char* kSolving =
    "title = 'T'\ncommand = 'solve'\nsolver = 'cg'\nmatrix = 'poisson2d(3)'\nscale = [0, 1]\nsamples = 2\n";
constexpr const char* kTraining =
    "title = 'T'\ncommand = 'train'\nnodes = 80\nclasses = 3\nhidden = 4\nepochs = 2\nseeds = 2\norders = 2\n"
    "evaluations = 2\n";
constexpr const char* kSums = "n = [6, 40]\norder = ['random', 'spa']\nsamples = 30\nmax_distinct = [4, 1000]\n";
constexpr const char* kOperations =
    "op = 'index_add(dim=0)'\nshape = '8x3'\nratio = [0.2, 0.5]\narrival = 'uniform'\nsamples = 5\n";

Json nested(int depth) {
  Json json = Json::array();
  for (int i = 0; i < depth; ++i) json = Json::array({std::move(json)});
  return json;
}

/// What takes the place of each value in turn.
const std::vector<Json>& strange_values() {
  static const std::vector<Json> kValues{
      Json(),
      Json(true),
      Json(0),
      Json(-1),
      Json(1e300),
      Json(~0ULL),
      Json(""),
      Json("inf"),
      Json("1e999999999"),
      Json("xxh3:0123"),
      Json(std::string("a\0\x1b[2J\xc2\x9b\xe2\x80\xae\n=1", 16)),
      Json(std::string(20'000, '9')),
      Json("tile(" + std::string(900, '9') + ")"),
      Json::array(),
      Json::object(),
      nested(90),
  };
  return kValues;
}

/// Calls take() once for every value of `root` and every strange value that takes its place, and once without it.
void change_each(Json& node, const std::function<void()>& take) {
  const Json before = node;
  for (const Json& value : strange_values()) {
    node = value;
    take();
  }
  node = before;
  if (node.is_object())
    for (std::size_t i = 0; i < node.size(); ++i) {
      change_each(node.members()[i].value, take);
      node.erase(std::string(before.members()[i].key));
      take();
      node = before;
    }
  else if (node.is_array() && node.size() > 0)
    change_each(node[0], take);
}

/// Tries one of so many changes; one of fewer where tests are scaled.
class EachOf {
 public:
  explicit EachOf(int every) : every_(static_cast<std::uint64_t>(std::max(1.0, every / testing::test_scale()))) {}
  bool next() { return count_++ % every_ == 0; }

 private:
  std::uint64_t every_;
  std::uint64_t count_ = 0;
};

void ends(const Line& line) {
  const Outcome outcome = run(line);
  CAPTURE(outcome.err);
  CHECK((outcome.status == kDone || outcome.status == kFailed));
  CHECK(!has(outcome.err, ": unexpected: "));
  CHECK(outcome.err.find_first_of("\x1b\xc2\r") == std::string::npos);
  if (outcome.status == kDone) return;
  CHECK(outcome.out.empty());
  CHECK(!lines_of(outcome.err).empty());
}

// ---- records

/// As record_store.cpp says it.
std::string record_row_hash(std::initializer_list<std::string_view> columns) {
  ContentHasher hasher;
  for (const std::string_view column : columns) {
    hasher.add(std::to_string(column.size()) + ":");
    hasher.add(column);
  }
  return hasher.digest().bytes();
}

void bind_bytes(SQLite::Statement& statement, int column, const std::string& bytes) {
  statement.bind(column, bytes.data(), static_cast<int>(bytes.size()));
}

void put_sweep(const std::string& content) {
  const SQLite::Database database("r.sqlite", SQLite::OPEN_READWRITE);
  SQLite::Statement update(database, "INSERT OR REPLACE INTO sweep VALUES (1, ?, ?)");
  update.bind(1, content);
  bind_bytes(update, 2, record_row_hash({"sweep", content}));
  update.exec();
}

void put_record(const std::string& config, std::uint64_t run, const std::string& record) {
  const SQLite::Database database("r.sqlite", SQLite::OPEN_READWRITE);
  SQLite::Statement update(database, "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?)");
  update.bind(1, config);
  update.bind(2, static_cast<std::int64_t>(run));
  update.bind(3, record);
  bind_bytes(update, 4, record_row_hash({"record", config, std::to_string(run), record}));
  update.exec();
}

std::string sweep_content() {
  const SQLite::Database database("r.sqlite", SQLite::OPEN_READONLY);
  SQLite::Statement row(database, "SELECT content FROM sweep");
  row.executeStep();
  return row.getColumn(0).getString();
}

const Line kReportRecords{"report", "r.sqlite", "-o", "-"};

void make_records(const char* config) {
  TemporaryFolder::write("c.toml", config);
  CHECK(run({"sweep", "c.toml", "--db", "r.sqlite"}).status == kDone);
}

/// Questions with other arguments, and no more.
std::string asking(std::initializer_list<std::string> arguments) {
  Json content = Json::parse(sweep_content());
  for (Json& question : content["questions"].elements())
    question["arguments"] = Json(std::vector<std::string>(arguments));
  return content.dump();
}

// ---- points

/// Has change() alter each row of `point`, which then has its right hash again.
void rewrite_points(const std::string& path, const std::function<void(StoredPoint&)>& change) {
  const SQLite::Database database(path, SQLite::OPEN_READWRITE);
  std::vector<StoredPoint> points;
  for (RowReader rows(database, kPointTable); rows.next();) points.push_back(rows.point());
  FinishedRow finished;
  RowWriter writer(database, kPointTable, "INSERT OR REPLACE");
  for (StoredPoint& point : points) {
    change(point);
    finished.add(writer.write(point).value());
  }
  RowWriter(database, kFinishedTable, "INSERT OR REPLACE").write(finished);
}

std::vector<StoredPoint> points_in(const std::string& path) {
  const SQLite::Database database(path, SQLite::OPEN_READONLY);
  std::vector<StoredPoint> points;
  for (RowReader rows(database, kPointTable); rows.next();) points.push_back(rows.point());
  return points;
}

}  // namespace

TEST_CASE("a stored question is not acted upon: not its command, and not what it names") {
  const TemporaryFolder folder;
  make_records(kSolving);
  const std::string page = run(kReportRecords).out;
  CHECK(has(page, "poisson2d(3)"));
  const std::string intact = sweep_content();
  put_sweep(asking({"solve", "cg", "--matrix", "/dev/zero"}));
  CHECK(run(kReportRecords).out == page);
  put_sweep(asking({"solve", "--no-such-flag"}));
  CHECK(run(kReportRecords).out == page);
  for (const char* command : {"sum", "--version", "", "sweep", "report", "-h"}) {
    put_sweep(asking({command}));
    refuses(kReportRecords, "which keeps no runs; solve, train, infer do");
  }
  put_sweep(asking({}));
  refuses(kReportRecords, "a question without a command");
  put_sweep(asking({"train", "--nodes", "3e6"}));
  refuses(kReportRecords, "is not what `orderlab sweep` writes");
  for (const char* content :
       {"", "{", "[]", "{}", "\"\"", "null", "{\"title\": 1}", "{\"title\":\"\",\"question\":\"\"}"}) {
    put_sweep(content);
    refuses(kReportRecords, "r.sqlite: ");
  }
  put_sweep(intact);
  CHECK(run(kReportRecords).out == page);
}

TEST_CASE("a report shows what was done, whatever has become of the input since") {
  const TemporaryFolder folder;
  TemporaryFolder::write("a.mtx",
                         "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 2 2\n3 3 2\n2 1 -1\n");
  make_records("command = 'solve'\nsolver = 'cg'\nmatrix = 'a.mtx'\nsamples = 2\n");
  const std::string page = run(kReportRecords).out;
  CHECK(has(page, "3 rows"));
  fs::remove("a.mtx");
  CHECK(run(kReportRecords).out == page);
}

TEST_CASE("a store that does not say what its questions are about is refused, and a sweep writes that again") {
  const TemporaryFolder folder;
  make_records(kSolving);
  Json content = Json::parse(sweep_content());
  for (Json& question : content["questions"].elements()) question.erase("about");
  put_sweep(content.dump());
  refuses(kReportRecords, "is not what `orderlab sweep` writes (");
  CHECK(run({"sweep", "c.toml", "--db", "r.sqlite"}).status == kDone);
  CHECK(run(kReportRecords).status == kDone);
}

TEST_CASE("a sweep over a command may say anything") {
  for (const char* config : {kSolving, kTraining}) {
    const TemporaryFolder folder;
    make_records(config);
    Json content = Json::parse(sweep_content());
    EachOf some(16);
    change_each(content, [&] {
      if (!some.next()) return;
      put_sweep(content.dump());
      ends(kReportRecords);
    });
  }
}

TEST_CASE("a record may say anything") {
  for (const char* config : {kSolving, kTraining}) {
    const TemporaryFolder folder;
    make_records(config);
    const auto [key, records] = [] {
      const RecordStore store("r.sqlite", RecordStore::Access::read);
      const std::string first = store.configs().front();
      return std::pair(first, store.records(first));
    }();
    for (const auto& [number, text] : records) {
      Json record = Json::parse(text);
      EachOf some(32);
      change_each(record, [&] {
        if (!some.next()) return;
        put_record(key, number, record.dump());
        ends(kReportRecords);
      });
      for (const char* no_json : {"", "{", "\xff"}) {
        put_record(key, number, no_json);
        ends(kReportRecords);
      }
      put_record(key, number, text);
    }
  }
}

TEST_CASE("a point may say anything") {
  for (const char* config : {kSums, kOperations}) {
    const TemporaryFolder folder;
    TemporaryFolder::write("c.toml", config);
    CHECK(run({"sweep", "c.toml", "--db", "s.sqlite"}).status == kDone);
    const std::string intact = TemporaryFolder::read("s.sqlite");
    const StoredPoint first = points_in("s.sqlite").front();
    EachOf some(32);
    for (std::string StoredPoint::*text :
         {&StoredPoint::config, &StoredPoint::terms, &StoredPoint::summation, &StoredPoint::metrics}) {
      Json json = Json::parse(first.*text);
      const auto check = [&](const std::string& changed) {
        rewrite_points("s.sqlite", [&](StoredPoint& point) {
          if (point.hash == first.hash) point.*text = changed;
        });
        ends({"report", "s.sqlite", "-o", "-"});
        ends({"export", "s.sqlite", "--csv", "-"});
      };
      change_each(json, [&] {
        if (some.next()) check(json.dump());
      });
      for (const char* no_json : {"", "{", "\xff"}) check(no_json);
      TemporaryFolder::write("s.sqlite", intact);
    }
  }
}

TEST_CASE("a database computes nothing for its reader") {
  const auto refused = [](const std::string& statements) {
    const TemporaryFolder folder;
    make_records(kSolving);
    SQLite::Database("r.sqlite", SQLite::OPEN_READWRITE).exec(statements);
    refuses(kReportRecords, "r.sqlite: is damaged: `");
  };
  const std::string forever = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
  refused("DROP TABLE record; CREATE VIEW record AS " + forever +
          " SELECT i AS config, i AS run, '' AS record, '' AS "
          "row_hash FROM n");
  refused("ALTER TABLE sweep ADD COLUMN more TEXT AS (hex(zeroblob(400000000)))");
  refused("DROP TABLE sweep");
}
