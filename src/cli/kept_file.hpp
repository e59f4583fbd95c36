// A file that is written again and again, maybe by several processes.
#pragma once

#include <string>
#include <string_view>

#include "cli/output_file.hpp"
#include "sweep/content_hash.hpp"

namespace orderlab::cli {

/// Replaced whole each time, as OutputFile does it. What another process has written meanwhile is never lost: the
/// folder is locked from the look at the file to its replacement, where the file system has locks.
class KeptFile {
 public:
  /// Errors, at once: usage when `path` cannot be written, input when it is there and not a regular file. Changes
  /// no file.
  explicit KeptFile(const std::string& path);

  const std::string& path() const { return path_; }

  /// The bytes of the file, none where it is not there. Errors: as InputFile.
  std::string read();

  /// Replaces what was read or written last. Error(input) where that is not there any more; those of OutputFile.
  void write(Session& session, std::string_view bytes);

 private:
  std::string path_;
  OutputFile file_;
  ContentHash known_;  ///< hash of the bytes that were read or written last
};

}  // namespace orderlab::cli
