#include "cli/kept_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/file_place.hpp"
#include "core/input_file.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

/// Holds the folder of a file while it lives. Nothing where the file system has no locks of folders.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path)
      : descriptor_(open(folder_of(place_of(path).target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

// Null where it is not there.
std::unique_ptr<InputFile> opened(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return nullptr;
  return std::make_unique<InputFile>(path, "name a file of counts, or one that is not there yet", Pipes::refused);
}

std::string bytes_of(const std::string& path) {
  const std::unique_ptr<InputFile> file = opened(path);
  return file == nullptr ? std::string() : file->rest();
}

}  // namespace

KeptFile::KeptFile(const std::string& path) : path_(path), file_(path), known_(hash_of({})) { opened(path); }

std::string KeptFile::read() {
  std::string bytes = bytes_of(path_);
  known_ = hash_of(bytes);
  return bytes;
}

void KeptFile::write(Session& session, std::string_view bytes) {
  const FolderLock lock(path_);
  if (hash_of(bytes_of(path_)) != known_)
    throw Error(ErrorKind::input, path_ +
                                      ": another process has written it meanwhile; give every process a file of its "
                                      "own, such as part-{shard}.counts");
  file_.commit(session, bytes);
  known_ = hash_of(bytes);
}

}  // namespace orderlab::cli
