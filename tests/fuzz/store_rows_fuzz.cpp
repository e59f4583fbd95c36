// A row of a store whatever its texts say: exported and drawn, or refused. One text a line, then the counts.
#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <string>

#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "page/html_page.hpp"
#include "page/sweep_content.hpp"
#include "sweep/store.hpp"
#include "sweep/sweep_rows.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

// Version 1 of the schema had no hashes of rows, so that any text may stand in one.
constexpr const char* kSchema = R"(
PRAGMA application_id = 0x6f724c42;
PRAGMA user_version = 1;
CREATE TABLE sweep (id INTEGER PRIMARY KEY, title TEXT, question TEXT, plan_hash TEXT);
CREATE TABLE plan (position INTEGER PRIMARY KEY, point TEXT NOT NULL UNIQUE, order_text TEXT, arrival_text TEXT);
CREATE TABLE point (hash TEXT NOT NULL PRIMARY KEY, config TEXT, terms TEXT, summation TEXT, metrics TEXT,
                    counts BLOB, version TEXT, flags TEXT, cpu TEXT, wall_ns INTEGER);
CREATE VIEW results AS SELECT 1;
)";

// The only point has the hash of an empty text.
constexpr const char* kRows[] = {
    "INSERT INTO point VALUES ('xxh3:99aa06d3014798d86001c324468d497f', ?1, ?2, ?3, ?4, ?9, '0.1.0', '-O2', 'cpu', 1)",
    "INSERT INTO plan VALUES (0, 'xxh3:99aa06d3014798d86001c324468d497f', ?5, ?6)",
    "INSERT INTO sweep VALUES (1, ?7, ?8, 'xxh3:99aa06d3014798d86001c324468d497f')"};
constexpr int kTexts = 8;

class Database {
 public:
  explicit Database(const std::string& path) {
    require(sqlite3_open(path.c_str(), &database_) == SQLITE_OK, "a database is made");
    execute("PRAGMA synchronous = OFF");
    execute(kSchema);
  }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Takes one line of `text` for each text, and the rest for the counts.
  void insert(std::string_view text) {
    std::string_view parts[kTexts + 1];
    for (int i = 0; i < kTexts; ++i) {
      parts[i] = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(parts[i].size() + 1, text.size()));
    }
    parts[kTexts] = text;
    for (const char* row : kRows) insert_row(row, parts);
  }

 private:
  void execute(const char* statements) {
    require(sqlite3_exec(database_, statements, nullptr, nullptr, nullptr) == SQLITE_OK, statements);
  }

  void insert_row(const char* statement, const std::string_view* parts) {
    sqlite3_stmt* row = nullptr;
    require(sqlite3_prepare_v2(database_, statement, -1, &row, nullptr) == SQLITE_OK, statement);
    for (int i = 0; i <= kTexts; ++i) {
      const int size = static_cast<int>(parts[i].size());
      if (i < kTexts)
        sqlite3_bind_text(row, i + 1, parts[i].data(), size, SQLITE_STATIC);
      else
        sqlite3_bind_blob(row, i + 1, parts[i].data(), size, SQLITE_STATIC);
    }
    require(sqlite3_step(row) == SQLITE_DONE, statement);
    sqlite3_finalize(row);
  }

  sqlite3* database_ = nullptr;
};

}  // namespace

ORDERLAB_FUZZ(store_rows) {
  static const Folder kFolder;
  kFolder.clear();
  const std::string path = kFolder.path("s.sqlite");
  Database(path).insert(text_of(input));
  const Store store(path, Store::Access::read);
  std::optional<SweepContent> content;
  try {
    content = content_of(store);
  } catch (const Error&) {
  }
  if (content) (void)to_spec_files(*content);
  const std::string lines = to_json_lines(store);
  require(std::count(lines.begin(), lines.end(), '\n') == 1, "a line for the point");
  (void)to_csv(store);
}
