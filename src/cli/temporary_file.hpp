// A file that is written before it has its name.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

namespace orderlab::cli {

/// A file descriptor that is closed at the end. Everything here throws std::system_error with the system's reason.
class OpenFile {
 public:
  /// Takes what open() returned, and throws where that is -1.
  explicit OpenFile(int descriptor);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }
  void write(std::string_view text) const;

 private:
  int descriptor_;
};

/// A new file that has no name until it is whole, where the file system can do that; else an unpredictable one. It is
/// removed with this object unless it replaced another file.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& folder, mode_t mode);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Copies owner and mode of `old` as far as this user may. Gives nobody access who has none to `old`.
  void take_owner_and_mode(const struct stat& old) const;

  void write(std::string_view text) const { file_.write(text); }

  /// Replaces `target`, which is in the same folder, durably: also after a power failure.
  void become(const std::string& target);

 private:
  std::string folder_;
  std::string path_;  ///< its name meanwhile
  bool named_ = false;
  OpenFile file_;

  int open_new(mode_t mode);
};

}  // namespace orderlab::cli
