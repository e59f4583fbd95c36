#include "sweep/record_store.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "orderlab/error.hpp"
#include "sweep/content_hash.hpp"
#include "sweep/store_errors.hpp"
#include "sweep/store_file.hpp"
#include "sweep/store_schema.hpp"

namespace orderlab {

namespace {

namespace fs = std::filesystem;

constexpr int kRecordVersion = 1;

// row_hash is XXH3-128 of the table's name and the columns before it, each with its length. The one row of `sweep` is
// JSON: title, question, and of each question its name and arguments.
constexpr const char* kRecordTables = R"(
CREATE TABLE record (
  config TEXT NOT NULL,
  run INTEGER NOT NULL,
  record TEXT NOT NULL,
  row_hash BLOB NOT NULL,
  PRIMARY KEY (config, run)
);
CREATE TABLE sweep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  content TEXT NOT NULL,
  row_hash BLOB NOT NULL
);
)";

std::string row_hash(std::initializer_list<std::string_view> columns) {
  ContentHasher hasher;
  for (const std::string_view column : columns) {
    hasher.add(std::to_string(column.size()) + ":");
    hasher.add(column);
  }
  return hasher.digest().bytes();
}

std::string record_hash(const std::string& config, std::uint64_t run, const std::string& record) {
  return row_hash({"record", config, std::to_string(run), record});
}

int pragma(const SQLite::Database& database, const char* name) {
  SQLite::Statement row(database, std::string("PRAGMA ") + name);
  row.executeStep();
  return row.getColumn(0).getInt();
}

void bind_blob(SQLite::Statement& statement, int column, const std::string& bytes) {
  statement.bind(column, bytes.data(), static_cast<int>(bytes.size()));
}

void require_records(const SQLite::Database& database, const std::string& path, bool reads) {
  if (pragma(database, "application_id") != kRecordApplication)
    throw Error(ErrorKind::input, path + ": is no store of solve, train or infer; " +
                                      (reads ? "give one that is" : "give a new name"));
  const int version = pragma(database, "user_version");
  if (version > kRecordVersion) throw Error(ErrorKind::input, path + ": was written by a newer orderlab; use that one");
  if (version < kRecordVersion)
    throw Error(ErrorKind::input, path + ": is damaged: has schema " + std::to_string(version) + "; " + kStartAgain);
  for (const char* table : {"record", "sweep"}) require_plain_table(database, path, table);
}

std::string sweep_text(const RecordedSweep& sweep) {
  Json questions = Json::array();
  for (const RecordedQuestion& question : sweep.questions)
    questions.push_back({{"name", question.name}, {"arguments", Json(question.arguments)}, {"about", question.about}});
  return Json{{"title", sweep.title}, {"question", sweep.question}, {"questions", std::move(questions)}}.dump();
}

RecordedSweep sweep_from(const Json& json) {
  RecordedSweep sweep{json["title"].text(), json["question"].text(), {}};
  for (const Json& question : json["questions"].elements()) {
    RecordedQuestion& one = sweep.questions.emplace_back();
    one.name = question["name"].text();
    for (const Json& argument : question["arguments"].elements()) one.arguments.push_back(argument.text());
    if (one.arguments.empty()) throw Error(ErrorKind::input, "a question without a command");
    one.about = question["about"];
  }
  return sweep;
}

}  // namespace

struct RecordStore::Connection {
  SQLite::Database database;
  std::map<std::string, std::map<std::uint64_t, std::string>> records;
  std::uint64_t damaged = 0;

  void read_records() {
    SQLite::Statement row(database, "SELECT config, run, record, row_hash FROM record");
    while (row.executeStep()) {
      const std::string config = row.getColumn(0).getString();
      const auto run = static_cast<std::uint64_t>(row.getColumn(1).getInt64());
      const std::string record = row.getColumn(2).getString();
      if (row.getColumn(3).getString() == record_hash(config, run, record))
        records[config][run] = record;
      else
        ++damaged;
    }
  }
};

template <class Work>
auto RecordStore::guarded(Work work) const {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    throw Error(ErrorKind::input, path_ + ": " + in_words(error));
  }
}

RecordStore::RecordStore(const std::string& path, Access access) : path_(path) {
  std::error_code code;
  const bool there = fs::exists(path, code);
  if (there && !fs::is_regular_file(path, code)) throw Error(ErrorKind::input, path + ": is not a regular file");
  if (!there && access == Access::read) throw Error(ErrorKind::input, path + ": no such file");
  const bool made = access == Access::create && make_file(path);
  try {
    guarded([&] { open(access); });
  } catch (...) {
    connection_.reset();
    if (made && fs::file_size(path, code) == 0) fs::remove(path, code);
    throw;
  }
}

RecordStore::~RecordStore() = default;

void RecordStore::open(Access access) {
  const bool reads = access == Access::read;
  connection_ = std::make_unique<Connection>(Connection{reads ? open_to_read(path_) : open_to_write(path_), {}, 0});
  SQLite::Database& database = connection_->database;
  const bool blank = is_blank(database);
  if (blank && reads) throw Error(ErrorKind::input, path_ + ": is empty");
  if (!blank) require_records(database, path_, reads);
  if (!reads) {
    patiently([&] { database.exec("PRAGMA journal_mode = WAL"); });
    database.exec("PRAGMA synchronous = FULL");
    SQLite::Transaction claim(database, SQLite::TransactionBehavior::IMMEDIATE);
    if (is_blank(database)) {
      database.exec(kRecordTables);
      database.exec("PRAGMA application_id = " + std::to_string(kRecordApplication));
      database.exec("PRAGMA user_version = " + std::to_string(kRecordVersion));
    }
    claim.commit();
  }
  connection_->read_records();
  if (reads && connection_->damaged > 0)
    throw Error(ErrorKind::input, path_ + ": is damaged: " + std::to_string(connection_->damaged) +
                                      " records; the command that made it makes them again");
}

std::uint64_t RecordStore::damaged() const { return connection_->damaged; }

std::uint64_t RecordStore::count() const {
  std::uint64_t all = 0;
  for (const auto& [config, records] : connection_->records) all += records.size();
  return all;
}

std::vector<std::string> RecordStore::configs() const {
  std::vector<std::string> all;
  for (const auto& [config, records] : connection_->records) all.push_back(config);
  return all;
}

std::map<std::uint64_t, std::string> RecordStore::records(const std::string& config) const {
  const auto found = connection_->records.find(config);
  return found == connection_->records.end() ? std::map<std::uint64_t, std::string>() : found->second;
}

void RecordStore::leave_out(const std::string& config, std::uint64_t run) { connection_->records[config].erase(run); }

void RecordStore::insert(const std::string& config, std::uint64_t run, const std::string& record) {
  SQLite::Statement statement(connection_->database, "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?)");
  statement.bind(1, config);
  statement.bind(2, static_cast<std::int64_t>(run));
  statement.bind(3, record);
  bind_blob(statement, 4, record_hash(config, run, record));
  statement.exec();
}

void RecordStore::insert(const RecordedSweep& sweep) {
  const std::string content = sweep_text(sweep);
  SQLite::Statement statement(connection_->database, "INSERT OR REPLACE INTO sweep VALUES (1, ?, ?)");
  statement.bind(1, content);
  bind_blob(statement, 2, row_hash({"sweep", content}));
  statement.exec();
}

std::uint64_t RecordStore::take(const std::vector<const RecordStore*>& others) {
  std::vector<const RecordStore*> all = others;
  all.insert(all.begin(), this);
  require_agreement(all);
  std::map<std::string, std::map<std::uint64_t, std::string>> records = connection_->records;
  std::uint64_t taken = 0;
  guarded([&] {
    patiently([&] {
      records = connection_->records;
      taken = 0;
      SQLite::Transaction adding(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
      for (const RecordStore* other : others)
        for (const auto& [config, runs] : other->connection_->records)
          for (const auto& [run, record] : runs) {
            if (!records[config].emplace(run, record).second) continue;
            insert(config, run, record);
            ++taken;
          }
      const auto swept = std::find_if(all.begin(), all.end(), [](const RecordStore* one) { return one->has_sweep(); });
      if (swept != all.end() && *swept != this) insert((*swept)->sweep());
      adding.commit();
    });
  });
  connection_->records = std::move(records);
  return taken;
}

void RecordStore::keep(const std::string& config, std::uint64_t run, const std::string& record) {
  if (!connection_->records[config].emplace(run, record).second) return;
  guarded([&] {
    patiently([&] {
      SQLite::Transaction adding(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
      insert(config, run, record);
      adding.commit();
    });
  });
}

void RecordStore::set_sweep(const RecordedSweep& sweep) {
  guarded([&] {
    patiently([&] {
      SQLite::Transaction writing(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
      insert(sweep);
      writing.commit();
    });
  });
}

bool RecordStore::has_sweep() const {
  return guarded([&] { return SQLite::Statement(connection_->database, "SELECT content FROM sweep").executeStep(); });
}

RecordedSweep RecordStore::sweep() const {
  const std::optional<std::string> content = guarded([&]() -> std::optional<std::string> {
    SQLite::Statement row(connection_->database, "SELECT content, row_hash FROM sweep");
    if (!row.executeStep()) return std::nullopt;
    std::string text = row.getColumn(0).getString();
    if (row.getColumn(1).getString() != row_hash({"sweep", text}))
      throw Error(ErrorKind::input, path_ + ": is damaged: its sweep; `orderlab sweep` writes it again");
    return text;
  });
  if (!content)
    throw Error(ErrorKind::input, path_ + ": no sweep has been run on it; `orderlab sweep CONFIG --db " + path_ +
                                      "` does, and --html of a command writes a page of its own");
  try {
    return sweep_from(Json::parse(*content));
  } catch (const Error& error) {
    throw Error(ErrorKind::input, path_ + ": its sweep is not what `orderlab sweep` writes (" + error.what() + ")");
  }
}

void require_agreement(const std::vector<const RecordStore*>& stores) {
  std::map<std::pair<std::string, std::uint64_t>, std::pair<const RecordStore*, const std::string*>> known;
  const RecordStore* swept = nullptr;
  for (const RecordStore* store : stores) {
    for (const auto& [config, runs] : store->connection_->records)
      for (const auto& [run, record] : runs) {
        const auto [first, is_new] = known.try_emplace({config, run}, store, &record);
        if (!is_new && *first->second.second != record)
          throw Error(ErrorKind::input, store->path() + ": record " + std::to_string(run) + " differs from that of " +
                                            first->second.first->path() +
                                            ", though the same run has equal bits on every machine; make the run "
                                            "again into a new store, to find the wrong one");
      }
    if (!store->has_sweep()) continue;
    if (swept != nullptr && store->sweep() != swept->sweep())
      throw Error(ErrorKind::input, store->path() + ": has another sweep than " + swept->path() +
                                        "; a store has one. Merge stores of one sweep, or sweep over a config that has "
                                        "the points of both");
    swept = store;
  }
}

bool is_record_store(const std::string& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code) || fs::file_size(path, code) == 0) return false;
  try {
    return pragma(open_to_read(path), "application_id") == kRecordApplication;
  } catch (const SQLite::Exception&) {
    return false;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace orderlab
