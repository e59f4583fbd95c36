#include "sweep/store_errors.hpp"

#include <sqlite3.h>

namespace orderlab {

namespace {

constexpr const char* kDiskFull =
    "cannot be written, the disk may be full; what is stored is safe: free some space and start again";

}  // namespace

std::string in_words(const SQLite::Exception& error) {
  switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "is locked by another program; wait until that has ended";
    case SQLITE_NOTADB:
      return "is not a database; give a file that `orderlab sweep` made, or a new name";
    case SQLITE_CORRUPT:
      return std::string("is damaged; ") + kStartAgain;
    case SQLITE_FULL:
      return kDiskFull;
    case SQLITE_IOERR:
      return error.getExtendedErrorCode() == SQLITE_IOERR_READ ? "cannot be read: " + std::string(error.what())
                                                               : kDiskFull;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "cannot be written: no permission";
    case SQLITE_CANTOPEN:
      return "cannot be opened: no permission, or its folder does not exist";
    default:
      return std::string("is not a usable store: ") + error.what();
  }
}

bool is_lock(const SQLite::Exception& error) {
  return error.getErrorCode() == SQLITE_BUSY || error.getErrorCode() == SQLITE_LOCKED;
}

}  // namespace orderlab
