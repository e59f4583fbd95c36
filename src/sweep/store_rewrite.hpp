// Rewriting a damaged store in place: intact rows are kept, in new tables.
#pragma once

#include <SQLiteCpp/Database.h>

namespace orderlab {

/// Whether SQLite finds its own structure, all indexes included, as it should be.
bool is_sound(const SQLite::Database& database);

/// The same; throws what SQLite throws for a damaged file.
void require_sound(const SQLite::Database& database);

/// Copies the intact rows into new tables and drops the old ones. To be called within a transaction.
/// `with_plan`: whether sweep and plan are to be copied too.
void rewrite_store(SQLite::Database& database, bool with_plan);

}  // namespace orderlab
