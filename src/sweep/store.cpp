#include "sweep/store.hpp"

#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "sweep/store_connection.hpp"
#include "sweep/store_errors.hpp"
#include "sweep/store_file.hpp"
#include "sweep/store_plan.hpp"
#include "sweep/store_rewrite.hpp"
#include "sweep/store_schema.hpp"
#include "sweep/stored_row.hpp"

namespace orderlab {

namespace {

namespace fs = std::filesystem;

FinishedRow read_finished(const SQLite::Database& database) {
  RowReader row(database, kFinishedTable);
  if (row.next() && row.intact()) return row.finished();
  throw SQLite::Exception("the number of finished points is damaged", SQLITE_CORRUPT);
}

}  // namespace

Store::Store(const std::string& path, Access access) : path_(path) {
  std::error_code code;
  const bool there = fs::exists(path, code);
  if (there && !fs::is_regular_file(path, code)) throw Error(ErrorKind::input, path + ": is not a regular file");
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

Store::~Store() = default;

void Store::open(Access access) {
  const bool reads = access == Access::read || access == Access::points;
  connection_ = std::make_unique<Connection>(reads ? open_to_read(path_) : open_to_write(path_));
  SQLite::Database& database = connection_->database;
  const bool blank = is_blank(database);
  if (blank && access != Access::create)
    throw Error(ErrorKind::input, path_ + ": is empty; `orderlab sweep` fills one");
  if (!blank) connection_->version = schema_version(database, path_);
  if (reads) {
    database.exec("BEGIN");
    connection_->unchanging = true;
    connection_->read_all(access == Access::read);
    return require_intact();
  }
  patiently([&] { database.exec("PRAGMA journal_mode = WAL"); });  // does not wait by itself
  database.exec("PRAGMA synchronous = FULL");
  SQLite::Transaction claim(database, SQLite::TransactionBehavior::IMMEDIATE);  // fails now, not after hours of work
  if (is_blank(database)) create_schema(database);
  claim.commit();
  SQLite::Transaction moment(database);  // others may add points meanwhile
  connection_->read_all();
  moment.commit();
}

std::string Store::damage() const {
  const std::vector<std::string>& all = connection_->content.damage;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kMostNamed); ++i) text += (i == 0 ? "is damaged: " : ", ") + all[i];
  if (all.size() > kMostNamed) text += fmt::format(" and {} more", all.size() - kMostNamed);
  return text;
}

void Store::require_intact() const {
  if (const std::string found = damage(); !found.empty())
    throw Error(ErrorKind::input, path_ + ": " + found + "; `orderlab sweep` with its config computes that again");
}

void Store::prepare() {
  guarded([&] {
    SQLite::Database& database = connection_->database;
    const auto is_ready = [&] { return connection_->content.damage.empty() && is_sound(database); };
    if (is_ready()) return;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    connection_->version = schema_version(database, path_);  // another process may have done it meanwhile
    connection_->read_all();
    if (is_ready()) return;
    rewrite_store(database, connection_->content.plan_intact);
    if (connection_->has_operations()) prepare_for(database, true);
    require_sound(database);
    connection_->read_all();
    transaction.commit();
  });
}

void Store::set_plan(const SweepPlan& plan, const Shard& shard) {
  guarded([&] {
    SQLite::Database& database = connection_->database;
    const std::string hash = plan_hash(plan).text();
    const SweepRow wanted{plan.title, plan.question, hash};
    const std::string published = published_text(plan.published);
    const auto has_plan = [&] {
      RowReader there(database, kSweepTable);
      return there.next() && there.sweep() == wanted && beside_plan(database, hash).published == published;
    };
    const auto has_shard = [&] {
      const std::vector<Shard> shards = beside_plan(database, hash).shards;
      return shard.count == 1 || std::find(shards.begin(), shards.end(), shard) != shards.end();
    };
    if (has_plan() && has_shard()) return;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    if (!has_shard()) write_shard(database, {hash, shard});
    if (has_plan()) return transaction.commit();  // also one that another process has made meanwhile
    database.exec("DELETE FROM sweep");
    database.exec("DELETE FROM plan");
    RowWriter(database, kSweepTable).write(wanted);
    write_published(database, {hash, published});
    prepare_for(database, plan.has_operations);
    if (plan.has_operations) connection_->version = kStoreVersion;
    RowWriter rows(database, kPlanTable);
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
      const PlannedPoint point = plan.points.planned(i);
      rows.write(PlanRow{static_cast<std::int64_t>(i), point.hash.text(), std::string(point.order_text),
                         std::string(point.arrival_text)});
    }
    transaction.commit();
  });
}

void Store::copy_plan(const Store& other) {
  guarded([&] {
    SQLite::Database& database = connection_->database;
    const Connection& from = *other.connection_;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec("DELETE FROM sweep");
    database.exec("DELETE FROM plan");
    if (from.has_operations()) {
      prepare_for(database, true);
      connection_->version = kStoreVersion;
    }
    RowWriter sweeps(database, kSweepTable);
    for (RowReader row(from.database, kSweepTable); row.next();) {
      sweeps.write(row.sweep());
      const std::string hash = row.sweep().plan_hash;
      write_published(database, {hash, beside_plan(from.database, hash).published});
    }
    RowWriter places(database, kPlanTable);
    for (RowReader row(from.database, kPlanTable); row.next();) places.write(row.plan());
    transaction.commit();
  });
}

bool Store::has(const ContentHash& point) const { return connection_->content.rowids.contains(point); }

std::size_t Store::stored() const { return connection_->content.rows; }

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
  if (connection_->points == nullptr)
    connection_->points = std::make_unique<RowWriter>(database, kPointTable, "INSERT OR IGNORE");
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  FinishedRow finished = read_finished(database);
  std::vector<std::pair<ContentHash, std::int64_t>> added;
  for (const StoredPoint& point : points) {
    const std::optional<ContentHash> row_hash = connection_->points->write(point);
    if (!row_hash) continue;
    finished.add(*row_hash);
    if (const auto hash = ContentHash::from_text(point.hash)) added.emplace_back(*hash, database.getLastInsertRowid());
  }
  RowWriter(database, kFinishedTable, "INSERT OR REPLACE").write(finished);
  transaction.commit();
  connection_->content.rowids.insert(added.begin(), added.end());
}

}  // namespace orderlab
