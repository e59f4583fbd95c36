// Writing a file so that nothing is lost.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace orderlab::cli {

/// A file that appears whole or not at all: written beside its place and moved there, all in commit().
///
/// Symbolic links stay and what they lead to is written. A file that was there keeps its mode, and its owner and group
/// as far as this user may give them. A pipe, a device and what is reached through /proc (/dev/stderr, /dev/fd/3) is
/// written in place. A regular file whose folder is closed to this user is refused, also where the file itself could be
/// written: a full disk would leave half of it.
class OutputFile {
 public:
  /// Error(usage) at once when `path` cannot be written. Changes no file.
  explicit OutputFile(std::string path);

  /// Waits for a reader where `path` is a pipe without one, and says so.
  ///
  /// Error(usage) with the system's reason; the file is then what it was, and nothing else is left. A first interrupt
  /// waits until the file is in its place; a second one, or one during a write in place, ends the program.
  void commit(Session& session, std::string_view text) const;

 private:
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
};

}  // namespace orderlab::cli
