#include "experiment/store.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "experiment/store_errors.hpp"
#include "experiment/store_schema.hpp"

namespace orderlab {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPointColumns = "hash, config, terms, summation, metrics, counts, version, flags, cpu, wall_ns";

// Whether it was this process that made the file.
bool make_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) ::close(file);
  return file >= 0;
}

StoredPoint point_from(SQLite::Statement& row, int first) {
  StoredPoint point;
  int column = first;
  for (std::string* text : {&point.hash, &point.config, &point.terms, &point.summation, &point.metrics, &point.counts,
                            &point.made_by.version, &point.made_by.flags, &point.made_by.cpu})
    *text = row.getColumn(column++).getString();
  point.wall_ns = row.getColumn(column).getInt64();
  return point;
}

}  // namespace

struct Store::Connection {
  SQLite::Database database;
  std::unique_ptr<SQLite::Statement> insert;
};

// What SQLite throws, as an error of this store.
template <class Work>
auto Store::guarded(Work work) const {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    throw Error(ErrorKind::input, path_ + ": " + in_words(error));
  }
}

Store::Store(const std::string& path, Access access) : path_(path) {
  std::error_code code;
  const bool there = fs::exists(path, code);
  if (there && !fs::is_regular_file(path, code)) throw Error(ErrorKind::input, path + ": is no file");
  if (!there && access != Access::create)
    throw Error(ErrorKind::input, path + ": no such file; `orderlab sweep` makes one");
  const bool made = access == Access::create && make_file(path);
  try {
    guarded([&] { open(access); });
  } catch (...) {
    connection_.reset();
    if (made && fs::file_size(path, code) == 0) fs::remove(path, code);  // else another process has begun with it
    throw;
  }
}

void Store::open(Access access) {
  const int flags = access == Access::create ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE : SQLite::OPEN_READWRITE;
  connection_ = std::make_unique<Connection>(SQLite::Database(path_, flags, kPatienceMs), nullptr);
  SQLite::Database& database = connection_->database;
  const bool blank = is_blank();
  if (blank && access != Access::create)
    throw Error(ErrorKind::input, path_ + ": is empty; `orderlab sweep` fills one");
  if (!blank) check();
  if (access == Access::read) {
    database.exec("PRAGMA query_only = 1");
    return;
  }
  patiently([&] { database.exec("PRAGMA journal_mode = WAL"); });  // does not wait by itself
  database.exec("PRAGMA synchronous = FULL");
  SQLite::Transaction claim(database, SQLite::TransactionBehavior::IMMEDIATE);  // fails now, not after hours of work
  if (is_blank()) create_schema();
  claim.commit();
}

// A file of no bytes, or one whose first run was killed before it had a schema.
bool Store::is_blank() const {
  SQLite::Database& database = connection_->database;
  return database.execAndGet("PRAGMA application_id").getInt() == 0 &&
         database.execAndGet("PRAGMA user_version").getInt() == 0 &&
         database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

Store::~Store() = default;

// Before anything is written: the pragmas of a store would change another program's database.
void Store::check() const {
  SQLite::Database& database = connection_->database;
  const int application = database.execAndGet("PRAGMA application_id").getInt();
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  if (application != kStoreApplication)
    throw Error(ErrorKind::input, path_ + ": is a database of another program; give a new name");
  if (version > kStoreVersion)
    throw Error(ErrorKind::input, path_ + ": was written by a newer orderlab (schema " + std::to_string(version) +
                                      ", this one reads " + std::to_string(kStoreVersion) + "); use that one");
  if (database.execAndGet("PRAGMA quick_check(1)").getString() != "ok")
    throw Error(ErrorKind::input, path_ + ": is damaged; `sqlite3 FILE .recover` saves what can be read");
  for (const char* table : {"sweep", "plan", "point", "results"}) {
    SQLite::Statement found(database, "SELECT count(*) FROM sqlite_master WHERE name = ?");
    found.bind(1, table);
    found.executeStep();
    if (found.getColumn(0).getInt() == 0)
      throw Error(ErrorKind::input, path_ + ": has another schema, without `" + table + "`; give a new name");
  }
}

void Store::create_schema() {
  SQLite::Database& database = connection_->database;
  database.exec(kStoreSchema);
  database.exec("PRAGMA application_id = " + std::to_string(kStoreApplication));
  database.exec("PRAGMA user_version = " + std::to_string(kStoreVersion));
}

void Store::set_plan(const SweepPlan& plan) {
  guarded([&] {
    SQLite::Database& database = connection_->database;
    const std::string hash = plan_hash(plan);
    SQLite::Statement same(database, "SELECT 1 FROM sweep WHERE title = ? AND question = ? AND plan_hash = ?");
    same.bind(1, plan.title);
    same.bind(2, plan.question);
    same.bind(3, hash);
    if (same.executeStep()) return;
    same.reset();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement sweep(database, "INSERT OR REPLACE INTO sweep VALUES (1, ?, ?, ?)");
    sweep.bind(1, plan.title);
    sweep.bind(2, plan.question);
    sweep.bind(3, hash);
    sweep.exec();
    database.exec("DELETE FROM plan");
    SQLite::Statement row(database, "INSERT INTO plan VALUES (?, ?, ?, ?)");
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
      row.bind(1, static_cast<std::int64_t>(i));
      row.bind(2, plan.points[i].hash);
      row.bind(3, plan.points[i].order_text);
      row.bind(4, plan.points[i].arrival_text);
      row.exec();
      row.reset();
    }
    transaction.commit();
  });
}

void Store::copy_plan(const Store& other) {
  guarded([&] {
    SQLite::Database& database = connection_->database;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    for (const auto& [table, values] : {std::pair{"sweep", "(?, ?, ?, ?)"}, std::pair{"plan", "(?, ?, ?, ?)"}}) {
      database.exec(std::string("DELETE FROM ") + table);
      SQLite::Statement from(other.connection_->database, std::string("SELECT * FROM ") + table);
      SQLite::Statement to(database, std::string("INSERT INTO ") + table + " VALUES " + values);
      while (from.executeStep()) {
        to.bind(1, from.getColumn(0).getInt64());
        for (int column = 1; column < 4; ++column) to.bind(column + 1, from.getColumn(column).getString());
        to.exec();
        to.reset();
      }
    }
    transaction.commit();
  });
}

StoredSweep Store::sweep() const {
  return guarded([&] {
    SQLite::Statement row(connection_->database,
                          "SELECT title, question, plan_hash, (SELECT count(*) FROM plan), "
                          "(SELECT count(*) FROM plan JOIN point ON hash = plan.point) FROM sweep");
    if (!row.executeStep()) throw Error(ErrorKind::input, path_ + ": holds no sweep; `orderlab sweep` fills it");
    return StoredSweep{row.getColumn(0).getString(), row.getColumn(1).getString(), row.getColumn(2).getString(),
                       static_cast<std::uint64_t>(row.getColumn(3).getInt64()),
                       static_cast<std::uint64_t>(row.getColumn(4).getInt64())};
  });
}

StoredSweep Store::sweep_with_points() const {
  StoredSweep found = sweep();
  if (found.finished == 0)
    throw Error(ErrorKind::input, path_ + ": has no finished point of its sweep; run `orderlab sweep` first");
  return found;
}

std::unordered_set<std::string> Store::finished() const {
  return guarded([&] {
    std::unordered_set<std::string> hashes;
    SQLite::Statement row(connection_->database, "SELECT hash FROM point");
    while (row.executeStep()) hashes.insert(row.getColumn(0).getString());
    return hashes;
  });
}

bool Store::planned() const {
  return guarded([&] { return connection_->database.execAndGet("SELECT count(*) FROM sweep").getInt() > 0; });
}

void Store::add(std::span<const StoredPoint> points) {
  guarded([&] { insert(points); });
}

bool Store::add_unless_locked(std::span<const StoredPoint> points) {
  return guarded([&] {
    try {
      insert(points);
      return true;
    } catch (const SQLite::Exception& error) {
      if (is_lock(error)) return false;
      throw;
    }
  });
}

void Store::insert(std::span<const StoredPoint> points) {
  SQLite::Database& database = connection_->database;
  std::unique_ptr<SQLite::Statement>& row = connection_->insert;
  if (row == nullptr)
    row = std::make_unique<SQLite::Statement>(
        database, std::string("INSERT OR IGNORE INTO point (") + kPointColumns + ") VALUES (?,?,?,?,?,?,?,?,?,?)");
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  for (const StoredPoint& point : points) {
    row->reset();
    int column = 1;
    for (const std::string* text : {&point.hash, &point.config, &point.terms, &point.summation, &point.metrics})
      row->bind(column++, *text);
    row->bind(column++, point.counts.data(), static_cast<int>(point.counts.size()));
    for (const std::string* text : {&point.made_by.version, &point.made_by.flags, &point.made_by.cpu})
      row->bind(column++, *text);
    row->bind(column, point.wall_ns);
    row->exec();
  }
  row->reset();
  transaction.commit();
}

void Store::for_each_row(const std::function<void(const StoredRow&)>& take) const {
  guarded([&] {
    SQLite::Statement row(connection_->database, std::string("SELECT position, order_text, arrival_text, ") +
                                                     kPointColumns +
                                                     " FROM plan JOIN point ON hash = plan.point ORDER BY position");
    while (row.executeStep())
      take({static_cast<std::uint64_t>(row.getColumn(0).getInt64()), row.getColumn(1).getString(),
            row.getColumn(2).getString(), point_from(row, 3)});
  });
}

Error Store::damaged(const StoredRow& row, const std::exception& why) const {
  return Error(ErrorKind::input, path_ + ": point " + std::to_string(row.position) +
                                     " is damaged; delete its row and run `orderlab sweep` again (" + why.what() + ")");
}

void Store::for_each_point(const std::function<void(const StoredPoint&)>& take) const {
  guarded([&] {
    SQLite::Statement row(connection_->database, std::string("SELECT ") + kPointColumns + " FROM point ORDER BY hash");
    while (row.executeStep()) take(point_from(row, 0));
  });
}

}  // namespace orderlab
