#include "cli/temporary_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <system_error>

namespace orderlab::cli {

namespace {

constexpr const char* kOpenFiles = "/proc/self/fd";

void require(bool good) {
  if (!good) throw std::system_error(errno, std::generic_category());
}

std::string unforeseeable_name() {
  std::array<std::uint64_t, 2> bits{};
  require(getrandom(bits.data(), sizeof bits, 0) == sizeof bits);
  return fmt::format(".orderlab-{:016x}{:016x}", bits[0], bits[1]);
}

// The name in the folder outlives a power failure; where the folder cannot be opened for that, there is no more to do.
void sync_folder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const OpenFile file(descriptor);
  require(fsync(descriptor) == 0 || errno != EIO);
}

}  // namespace

OpenFile::OpenFile(int descriptor) : descriptor_(descriptor) { require(descriptor >= 0); }

OpenFile::~OpenFile() { close(descriptor_); }

void OpenFile::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    require(written >= 0);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

TemporaryFile::TemporaryFile(const std::string& folder, mode_t mode)
    : folder_(folder), path_(folder + "/" + unforeseeable_name()), file_(open_new(mode)) {}

TemporaryFile::~TemporaryFile() {
  if (named_) unlink(path_.c_str());
}

// A program that is killed leaves nothing of a file without a name.
int TemporaryFile::open_new(mode_t mode) {
  if (access(kOpenFiles, X_OK) == 0)
    if (const int file = open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode); file >= 0) return file;
  const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  named_ = file >= 0;
  return file;
}

void TemporaryFile::take_owner_and_mode(const struct stat& old) const {
  constexpr mode_t kGroup = 070;
  constexpr mode_t kOthers = 07;
  constexpr mode_t kSpecial = 07000;
  constexpr auto kSame = static_cast<uid_t>(-1);
  const int file = file_.descriptor();
  mode_t mode = old.st_mode & (kSpecial | 0777);
  if (fchown(file, old.st_uid, old.st_gid) != 0) {
    mode &= ~kSpecial;
    if (fchown(file, kSame, old.st_gid) != 0) mode = (mode & ~kGroup) | ((mode & kOthers) << 3);
  }
  require(fchmod(file, mode) == 0 || errno == EPERM);  // a file system without modes
}

void TemporaryFile::become(const std::string& target) {
  require(fsync(file_.descriptor()) == 0 || errno == EINVAL);
  if (!named_) {
    const std::string open_file = std::string(kOpenFiles) + "/" + std::to_string(file_.descriptor());
    require(linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0);
    named_ = true;
  }
  require(std::rename(path_.c_str(), target.c_str()) == 0);
  named_ = false;
  sync_folder(folder_);
}

}  // namespace orderlab::cli
