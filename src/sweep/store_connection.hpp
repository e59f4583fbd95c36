// What a Store keeps of its file. For the sources of Store alone.
#pragma once

#include <SQLiteCpp/Database.h>

#include <memory>

#include "orderlab/error.hpp"
#include "sweep/store.hpp"
#include "sweep/store_content.hpp"
#include "sweep/store_errors.hpp"
#include "sweep/store_schema.hpp"
#include "sweep/stored_row.hpp"

namespace orderlab {

struct Store::Connection {
  SQLite::Database database;
  int version = kSumsVersion;
  StoreContent content = {};
  std::unique_ptr<RowWriter> points = {};
  bool unchanging = false;  ///< all that is read is of the moment when `content` was

  bool has_operations() const { return version >= kStoreVersion; }
  void read_all(bool with_plan = true) { content = read_content(database, with_plan); }
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

}  // namespace orderlab
