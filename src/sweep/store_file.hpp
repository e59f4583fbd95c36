// The file of a store: opening it as SQLite needs it, and what says that it is one.
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

namespace orderlab {

/// Whether it was this call that made the file, empty.
bool make_file(const std::string& path);

/// Whether the first bytes of the file say that it is a store, damaged or not; no error where it cannot be read.
bool is_store_file(const std::string& path);

/// A database to be read, and nothing in its folder to be written where that can be avoided: a file with no other
/// process at it is opened as one that does not change, which needs no files beside it, so that a store can be read
/// that nobody may write. A log beside it stays, and is not moved into it.
///
/// Error(input): it has changes in FILE-wal that cannot be read here.
SQLite::Database open_to_read(const std::string& path);

/// A database to be written, also a file of no bytes.
SQLite::Database open_to_write(const std::string& path);

/// Error(input) where the database has something else of that name than a table whose rows are there: to read a view, a
/// virtual table or a generated column is to compute what the file asks for.
void require_plain_table(const SQLite::Database& database, const std::string& path, const std::string& table);

/// A file of no bytes, or one whose first run was killed before it had a schema.
bool is_blank(const SQLite::Database& database);

/// The version of a store's schema. Nothing is written: the pragmas of a store would change another program's database.
///
/// Error(input): another program's database; another version; another schema.
int schema_version(const SQLite::Database& database, const std::string& path);

/// Makes the view that has a column for each axis, in a store that was written before there were all of them; for a
/// plan with operations also their columns, and the version that has such points.
void prepare_for(SQLite::Database& database, bool operations);

/// Whether the store has a table of published points.
bool has_published(const SQLite::Database& database);

/// Whether the store has a table of shards.
bool has_shards(const SQLite::Database& database);

/// Makes the tables and the view for sums.
void create_schema(SQLite::Database& database);

}  // namespace orderlab
