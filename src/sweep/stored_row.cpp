#include "sweep/stored_row.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <vector>

namespace orderlab {

namespace {

void add_eight_bytes(std::string& to, std::uint64_t number) {
  char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>((number >> (8 * i)) & 255);
  to.append(bytes, 8);
}

std::string selection(const StoreTable& table, RowReader::Rows rows, std::string_view prefix) {
  return "SELECT rowid, " + std::string(table.columns) + ", row_hash FROM " + std::string(prefix) +
         std::string(table.name) + " NOT INDEXED" + (rows == RowReader::Rows::one ? " WHERE rowid = ?" : "");
}

StoredValue value_of(const SQLite::Column& column) {
  const auto bytes = [&] {
    return std::string_view(static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(column.getBytes()));
  };
  switch (column.getType()) {
    case SQLITE_INTEGER:
      return column.getInt64();
    case SQLITE_TEXT:
      return bytes();
    case SQLITE_BLOB:
      return Blob{bytes()};
    default:
      return {};
  }
}

}  // namespace

void FinishedRow::add(const ContentHash& row_hash) {
  ++points;
  row_hashes.high ^= row_hash.high;
  row_hashes.low ^= row_hash.low;
}

ContentHash row_hash(std::string_view table, std::span<const StoredValue> values, std::string& all) {
  all.clear();
  const auto add = [&](char type, std::string_view bytes) {
    all += type;
    add_eight_bytes(all, bytes.size());
    all += bytes;
  };
  add('t', table);
  for (const StoredValue& value : values) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      all += 'i';
      add_eight_bytes(all, static_cast<std::uint64_t>(*number));
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      add('t', *text);
    } else if (const auto* blob = std::get_if<Blob>(&value)) {
      add('b', blob->bytes);
    } else {
      add('n', {});
    }
  }
  return hash_of(all);
}

RowReader::RowReader(const SQLite::Database& database, const StoreTable& table, Rows rows, std::string_view prefix)
    : table_(table), statement_(database, selection(table, rows, prefix)) {}

bool RowReader::find(std::int64_t rowid) {
  statement_.reset();
  statement_.bind(1, rowid);
  return next();
}

bool RowReader::next() {
  if (!statement_.executeStep()) return false;
  values_.clear();
  const int columns = statement_.getColumnCount() - 1;
  for (int column = 1; column < columns; ++column) values_.push_back(value_of(statement_.getColumn(column)));
  hash_ = row_hash(table_.name, values_, hashed_bytes_);
  stored_hash_.reset();
  const StoredValue stored = value_of(statement_.getColumn(columns));
  if (const auto* blob = std::get_if<Blob>(&stored)) stored_hash_ = ContentHash::from_bytes(blob->bytes);
  return true;
}

// The row may hold any type; it is converted as SQLite does.
std::string RowReader::text(int column) const {
  const StoredValue& value = values_[static_cast<std::size_t>(column) - 1];
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  if (const auto* blob = std::get_if<Blob>(&value)) return std::string(blob->bytes);
  return statement_.getColumn(column).getString();
}

std::int64_t RowReader::number(int column) const {
  const auto* number = std::get_if<std::int64_t>(&values_[static_cast<std::size_t>(column) - 1]);
  return number != nullptr ? *number : statement_.getColumn(column).getInt64();
}

SweepRow RowReader::sweep() const { return {text(2), text(3), text(4)}; }

PlanRow RowReader::plan() const { return {number(1), text(2), text(3), text(4)}; }

PublishedPointsRow RowReader::published() const { return {text(2), text(3)}; }

ShardRow RowReader::shard() const {
  return {text(1), {static_cast<std::uint64_t>(number(2)), static_cast<std::uint64_t>(number(3))}};
}

StoredPoint RowReader::point() const {
  StoredPoint point;
  int column = 1;
  for (std::string* text : {&point.hash, &point.config, &point.terms, &point.summation, &point.metrics, &point.counts,
                            &point.made_by.version, &point.made_by.flags, &point.made_by.cpu})
    *text = this->text(column++);
  point.wall_ns = number(column);
  return point;
}

FinishedRow RowReader::finished() const {
  return {number(2), ContentHash::from_bytes(text(3)).value_or(ContentHash{})};
}

RowWriter::RowWriter(const SQLite::Database& database, const StoreTable& table, std::string_view verb)
    : table_(table), statement_(database, [&] {
        const auto columns = static_cast<std::size_t>(std::count(table.columns.begin(), table.columns.end(), ','));
        std::string marks = "?";
        for (std::size_t i = 0; i <= columns; ++i) marks += ",?";
        return std::string(verb) + " INTO " + std::string(table.name) + " (" + std::string(table.columns) +
               ", row_hash) VALUES (" + marks + ")";
      }()) {}

std::optional<ContentHash> RowWriter::write(std::span<const StoredValue> values) {
  std::string hashed;
  const ContentHash hash = row_hash(table_.name, values, hashed);
  statement_.reset();
  int column = 1;
  for (const StoredValue& value : values) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
      statement_.bind(column, *number);
    else if (const auto* text = std::get_if<std::string_view>(&value))
      statement_.bind(column, std::string(*text));
    else if (const auto* blob = std::get_if<Blob>(&value))
      statement_.bind(column, blob->bytes.data(), static_cast<int>(blob->bytes.size()));
    ++column;
  }
  const std::string bytes = hash.bytes();
  statement_.bind(column, bytes.data(), static_cast<int>(bytes.size()));
  const bool written = statement_.exec() > 0;
  statement_.reset();
  return written ? std::optional(hash) : std::nullopt;
}

std::optional<ContentHash> RowWriter::write(const SweepRow& row) {
  const std::string_view title = row.title;
  return write(std::array<StoredValue, 4>{std::int64_t{1}, title, std::string_view(row.question),
                                          std::string_view(row.plan_hash)});
}

std::optional<ContentHash> RowWriter::write(const PlanRow& row) {
  return write(std::array<StoredValue, 4>{row.position, std::string_view(row.point), std::string_view(row.order_text),
                                          std::string_view(row.arrival_text)});
}

std::optional<ContentHash> RowWriter::write(const PublishedPointsRow& row) {
  return write(
      std::array<StoredValue, 3>{std::int64_t{1}, std::string_view(row.plan_hash), std::string_view(row.points)});
}

std::optional<ContentHash> RowWriter::write(const ShardRow& row) {
  return write(std::array<StoredValue, 3>{std::string_view(row.plan_hash), static_cast<std::int64_t>(row.shard.number),
                                          static_cast<std::int64_t>(row.shard.count)});
}

std::optional<ContentHash> RowWriter::write(const StoredPoint& point) {
  std::vector<StoredValue> values;
  for (const std::string* text : {&point.hash, &point.config, &point.terms, &point.summation, &point.metrics})
    values.emplace_back(std::string_view(*text));
  values.emplace_back(Blob{point.counts});
  for (const std::string* text : {&point.made_by.version, &point.made_by.flags, &point.made_by.cpu})
    values.emplace_back(std::string_view(*text));
  values.emplace_back(point.wall_ns);
  return write(values);
}

std::optional<ContentHash> RowWriter::write(const FinishedRow& row) {
  const std::string hashes = row.row_hashes.bytes();
  return write(std::array<StoredValue, 3>{std::int64_t{1}, row.points, Blob{hashes}});
}

}  // namespace orderlab
