// Which file a path leads to, under any name.
#pragma once

#include <sys/types.h>

#include <string>

namespace orderlab::cli {

enum class FileKind {
  absent,   ///< nothing is there, but its folder is
  regular,  ///< also a file that was deleted and is still open
  folder,
  pipe,    ///< also a FIFO, and a socket that is already open
  device,  ///< a character device: /dev/null, a terminal
  other,   ///< what no text is written to: a disk, a socket that is not open
};

/// Equal for two paths of one file: device and inode of what is there; of what is not, those of its folder, and its
/// name.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name;  ///< empty for what is there

  bool operator==(const FileIdentity&) const = default;
};

/// A path with the symbolic links at its end followed, also one to a file that is not there yet.
struct FilePlace {
  int error = 0;  ///< errno where the path could not be followed; nothing else holds then
  FileKind kind = FileKind::absent;
  FileIdentity identity;
  std::string target;       ///< the path of the file itself
  bool descriptor = false;  ///< reached through /proc (/dev/stdout, /dev/fd/3): an open file, which may have no name
  bool standard_output = false;
};

FilePlace place_of(const std::string& path);

/// What standard input is.
FilePlace place_of_standard_input();

/// "a/b" of "a/b/c", "." of "c".
std::string folder_of(const std::string& path);

/// "c" of "a/b/c"; empty for "a/b/".
std::string name_in_folder(const std::string& path);

}  // namespace orderlab::cli
