#include "sweep/store_file.hpp"

#include <SQLiteCpp/Statement.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ascii.hpp"
#include "orderlab/error.hpp"
#include "sweep/store_errors.hpp"
#include "sweep/store_schema.hpp"
#include "sweep/stored_row.hpp"

namespace orderlab {

namespace {

namespace fs = std::filesystem;

struct SchemaEntry {
  std::string name;
  std::string definition;
};

// A name with letters that mean something in a URI is still that name.
std::string uri_of(const std::string& path, std::string_view query) {
  std::string uri = "file:";
  for (const char c : path)
    if (is_letter_or_digit(c))
      uri += c;
    else
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return uri + std::string(query);
}

// SQLite keeps its log and its locks beside the file itself, not beside a link to it.
std::string file_itself(const std::string& path) {
  std::error_code code;
  if (!fs::is_symlink(path, code)) return path;
  const fs::path itself = fs::canonical(path, code);
  return code ? path : itself.string();
}

bool is_there(const std::string& path) {
  std::error_code code;
  return fs::exists(path, code);
}

bool has_bytes(const std::string& path) {
  std::error_code code;
  const auto size = fs::file_size(path, code);
  return !code && size > 0;
}

// SQLite opens a file when it is first asked something. A store is used by one thread at a time: a lock for each column
// of each row would be a fifth of the time of reading.
SQLite::Database opened(const std::string& uri, int flags) {
  SQLite::Database database(uri, flags | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX, kPatienceMs);
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);  // no store of ours has any
  database.execAndGet("PRAGMA application_id");
  return database;
}

// The last to close a store moves its log into it and deletes the log, and the first to open one makes the index of the
// log (-shm) anew. A log that was there before is that of a program that was killed, or that runs on a host whose locks
// are not seen here: log and index stay as they are. Without an index, or where it is being made, there has to be one.
SQLite::Database opened_beside_log(const std::string& path) {
  const bool log = is_there(path + "-wal");
  if (log && is_there(path + "-shm")) try {
      return opened(uri_of(path, "?readonly_shm=1"), SQLite::OPEN_READONLY);
    } catch (const SQLite::Exception&) {
    }
  SQLite::Database database = opened(uri_of(path, ""), SQLite::OPEN_READWRITE);
  if (log) sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  database.exec("PRAGMA query_only = 1");
  return database;
}

int number(const SQLite::Database& database, const char* query) {
  SQLite::Statement row(database, query);
  row.executeStep();
  return row.getColumn(0).getInt();
}

std::vector<SchemaEntry> schema_of(const SQLite::Database& database) {
  std::vector<SchemaEntry> entries;
  SQLite::Statement row(database,
                        "SELECT name, type || ' of ' || tbl_name || ': ' || coalesce(sql, '') FROM "
                        "sqlite_master ORDER BY rowid");
  while (row.executeStep()) entries.push_back({row.getColumn(0).getString(), row.getColumn(1).getString()});
  return entries;
}

// A store that was written before an axis or a metric was added has a view without it.
HasColumn columns_of(const std::vector<SchemaEntry>& schema) {
  std::string view;
  for (const SchemaEntry& entry : schema)
    if (entry.name == kViewName) view = entry.definition;
  return [view](std::string_view column) { return view.find(" AS " + std::string(column) + ",") != std::string::npos; };
}

// The last schema is kept: among thousands of stores, nearly all have the schema of the one before.
std::vector<SchemaEntry> expected_schema(const HasColumn& has = {}) {
  thread_local std::string known;
  thread_local std::vector<SchemaEntry> entries;
  if (std::string schema = store_schema(has); schema != known) {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_MEMORY);
    database.exec(schema);
    entries = schema_of(database);
    known = std::move(schema);
  }
  return entries;
}

// What others have added stays theirs.
void require_schema(const SQLite::Database& database, const std::string& path) {
  const std::vector<SchemaEntry> there = schema_of(database);
  for (const SchemaEntry& expected : expected_schema(columns_of(there))) {
    const auto found =
        std::find_if(there.begin(), there.end(), [&](const SchemaEntry& entry) { return entry.name == expected.name; });
    if (found == there.end())
      throw Error(ErrorKind::input, path + ": has another schema, without `" + expected.name + "`; give a new name");
    if (found->definition != expected.definition)
      throw Error(ErrorKind::input,
                  path + ": is damaged: `" + expected.name + "` is not as orderlab makes it; " + kStartAgain);
  }
  for (const StoreTable& table : {kSweepTable, kPlanTable, kPointTable, kFinishedTable, kPublishedTable, kShardTable}) {
    const auto is_it = [&](const SchemaEntry& entry) { return entry.name == table.name; };
    if (std::any_of(there.begin(), there.end(), is_it)) require_plain_table(database, path, std::string(table.name));
  }
}

}  // namespace

bool make_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) ::close(file);
  return file >= 0;
}

// By https://www.sqlite.org/fileformat.html the application_id is at offset 68, its highest byte first.
bool is_store_file(const std::string& path) {
  constexpr std::string_view kMagic("SQLite format 3", 16);  // with the 0 at its end
  std::string head(72, ' ');
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return false;  // to open a pipe would wait for its writer
  if (!std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()))) return false;
  int application = 0;
  for (const char c : head.substr(68)) application = application << 8 | static_cast<unsigned char>(c);
  return head.starts_with(kMagic) && application == kStoreApplication;
}

// A user who may write reads under SQLite's locks, so that all reads see one state of the store.
SQLite::Database open_to_read(const std::string& named) {
  const std::string path = file_itself(named);
  if (access(path.c_str(), W_OK) == 0 && access(fs::absolute(path).parent_path().c_str(), W_OK) == 0)
    return opened_beside_log(path);
  const bool alone = !is_there(path + "-wal") && !is_there(path + "-shm") && !is_there(path + "-journal");
  const std::string unchanging = uri_of(path, "?immutable=1");
  if (alone) return opened(unchanging, SQLite::OPEN_READONLY);
  try {
    return opened(uri_of(path, ""), SQLite::OPEN_READONLY);
  } catch (const SQLite::Exception& error) {
    if (is_lock(error)) throw;
    if (has_bytes(path + "-journal")) throw;
    if (has_bytes(path + "-wal"))
      throw Error(ErrorKind::input, path + ": has changes in " + path +
                                        "-wal that cannot be read here; copy both into a folder that you may write");
    return opened(unchanging, SQLite::OPEN_READONLY);
  }
}

SQLite::Database open_to_write(const std::string& path) {
  return opened(uri_of(path, ""), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
}

void require_plain_table(const SQLite::Database& database, const std::string& path, const std::string& table) {
  const auto count = [&](const char* query) {
    SQLite::Statement row(database, query);
    row.bind(1, table);
    row.executeStep();
    return row.getColumn(0).getInt();
  };
  if (count("SELECT count(*) FROM sqlite_master WHERE name = ? AND type = 'table' AND sql LIKE 'CREATE TABLE%'") != 1 ||
      count("SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden <> 0") != 0)
    throw Error(ErrorKind::input,
                path + ": is damaged: `" + table + "` is not a table as orderlab makes it; " + kStartAgain);
}

bool is_blank(const SQLite::Database& database) {
  return number(database, "PRAGMA application_id") == 0 && number(database, "PRAGMA user_version") == 0 &&
         number(database, "SELECT count(*) FROM sqlite_master") == 0;
}

int schema_version(const SQLite::Database& database, const std::string& path) {
  if (number(database, "PRAGMA application_id") == kRecordApplication)
    throw Error(ErrorKind::input, path +
                                      ": has runs of solve or train, not points of sums; give a new name, or to look "
                                      "at it `orderlab report`");
  if (number(database, "PRAGMA application_id") != kStoreApplication)
    throw Error(ErrorKind::input, path + ": is a database of another program; give a new name");
  const int version = number(database, "PRAGMA user_version");
  if (version > kStoreVersion)
    throw Error(ErrorKind::input, path + ": was written by a newer orderlab (schema " + std::to_string(version) +
                                      ", this one reads " + std::to_string(kStoreVersion) + "); use that one");
  if (version < kSumsVersion)
    throw Error(ErrorKind::input, fmt::format("{}: has schema {}, this orderlab reads {} and {}; {}", path, version,
                                              kSumsVersion, kStoreVersion, kStartAgain));
  require_schema(database, path);
  return version;
}

void prepare_for(SQLite::Database& database, bool operations) {
  const auto view_in = [](const std::vector<SchemaEntry>& schema) {
    const auto is_view = [](const SchemaEntry& entry) { return entry.name == kViewName; };
    const auto found = std::find_if(schema.begin(), schema.end(), is_view);
    return found == schema.end() ? std::string() : found->definition;
  };
  if (operations) database.exec("PRAGMA user_version = " + std::to_string(kStoreVersion));
  const HasColumn has = operations ? HasColumn() : HasColumn(is_of_sums);
  if (view_in(schema_of(database)) == view_in(expected_schema(has))) return;
  database.exec("DROP VIEW " + std::string(kViewName));
  database.exec(results_view(has));
}

bool has_published(const SQLite::Database& database) { return database.tableExists(std::string(kPublishedTable.name)); }

bool has_shards(const SQLite::Database& database) { return database.tableExists(std::string(kShardTable.name)); }

void create_schema(SQLite::Database& database) {
  database.exec(store_schema(is_of_sums));
  RowWriter(database, kFinishedTable).write(FinishedRow{});
  database.exec("PRAGMA application_id = " + std::to_string(kStoreApplication));
  database.exec("PRAGMA user_version = " + std::to_string(kSumsVersion));
}

}  // namespace orderlab
