// What a Store gives out.
#include <filesystem>
#include <utility>

#include "sweep/store.hpp"
#include "sweep/store_connection.hpp"
#include "sweep/store_file.hpp"
#include "sweep/store_plan.hpp"

namespace orderlab {

namespace {

// Everything was intact when the store was opened.
Error changed_while_read(const std::string& path) {
  return Error(ErrorKind::input, path + ": has changed while it was read; start again");
}

}  // namespace

StoredSweep Store::sweep() const {
  return guarded([&] {
    const SQLite::Database& database = connection_->database;
    RowReader row(database, kSweepTable);
    if (!row.next()) throw Error(ErrorKind::input, path_ + ": holds no sweep; `orderlab sweep` fills it");
    if (connection_->unchanging) return connection_->content.sweep;
    const SweepRow words = row.sweep();
    BesidePlan beside = beside_plan(database, words.plan_hash);
    StoredSweep sweep{words.title, words.question, words.plan_hash, std::move(beside.published),
                      std::move(beside.shards)};
    for (RowReader place(database, kPlanTable); place.next(); ++sweep.points)
      if (connection_->content.rowid(place.plan().point)) ++sweep.finished;
    return sweep;
  });
}

StoredSweep Store::sweep_with_points() const {
  StoredSweep found = sweep();
  if (found.finished == 0)
    throw Error(ErrorKind::input, path_ + ": has no finished point of its sweep; run `orderlab sweep` first");
  return found;
}

bool Store::begun(const std::string& path) {
  std::error_code code;
  const bool there = std::filesystem::exists(path, code);
  if (code) throw Error(ErrorKind::input, path + ": cannot be read (" + code.message() + ")");
  if (!there) return false;
  try {
    if (std::filesystem::is_regular_file(path, code) && is_blank(open_to_read(path))) return false;
  } catch (const SQLite::Exception& error) {
    throw Error(ErrorKind::input, path + ": " + in_words(error));
  }
  return Store(path, Access::points).planned();
}

bool Store::planned() const {
  return guarded([&] { return RowReader(connection_->database, kSweepTable).next(); });
}

void Store::for_each_row(const std::function<void(const StoredRow&)>& take) const {
  guarded([&] {
    const SQLite::Database& database = connection_->database;
    RowReader places(database, kPlanTable);
    RowReader points(database, kPointTable, RowReader::Rows::one);
    const StoredSweep& known = connection_->content.sweep;
    std::uint64_t planned = 0;
    std::uint64_t finished = 0;
    for (; places.next(); ++planned) {
      const PlanRow place = places.plan();
      const std::optional<std::int64_t> rowid = connection_->content.rowid(place.point);
      if (!rowid) continue;
      if (!places.intact() || !points.find(*rowid) || !points.intact() || points.hash_text() != place.point)
        throw changed_while_read(path_);
      take({static_cast<std::uint64_t>(place.position), place.order_text, place.arrival_text, points.point()});
      ++finished;
    }
    if (connection_->unchanging && (planned != known.points || finished != known.finished))
      throw changed_while_read(path_);
  });
}

void Store::for_each_place(const std::function<void(const StoredPlace&)>& take) const {
  guarded([&] {
    for (RowReader places(connection_->database, kPlanTable); places.next();) {
      if (!places.intact()) throw changed_while_read(path_);
      const PlanRow place = places.plan();
      take({static_cast<std::uint64_t>(place.position), place.point, place.order_text, place.arrival_text,
            connection_->content.rowid(place.point).has_value()});
    }
  });
}

Error Store::damaged(const StoredRow& row, const std::exception& why) const {
  return Error(ErrorKind::input, path_ + ": point " + std::to_string(row.position) +
                                     " is damaged; delete its row and run `orderlab sweep` again (" + why.what() + ")");
}

void Store::for_each_point(const std::function<void(const StoredPoint&)>& take) const {
  guarded([&] {
    FinishedRow seen;
    for (RowReader rows(connection_->database, kPointTable); rows.next();) {
      if (!rows.intact()) throw changed_while_read(path_);
      seen.add(rows.hash());
      take(rows.point());
    }
    if (connection_->unchanging && seen != connection_->content.finished) throw changed_while_read(path_);
  });
}

}  // namespace orderlab
