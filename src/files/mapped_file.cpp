#include "files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <limits>
#include <system_error>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// An open file, closed with the object; what was mapped of it stays.
class FileToMap {
 public:
  // Not blocking, so that a named pipe is refused, not waited for.
  explicit FileToMap(const std::string& path)
      : file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
  ~FileToMap() {
    if (file >= 0) ::close(file);
  }
  FileToMap(const FileToMap&) = delete;
  FileToMap& operator=(const FileToMap&) = delete;

  const int file;
};

[[noreturn]] void refuse_to_map(const std::string& path, const std::string& problem, std::string_view remedy) {
  throw Error(ErrorKind::input, path + ": " + problem + "; " + std::string(remedy));
}

}  // namespace

MappedFile::MappedFile(const std::string& path, std::string_view remedy) {
  const FileToMap given(path);
  const auto refuse_by_system = [&](const std::string& what) {
    refuse_to_map(path, what + std::generic_category().message(errno), remedy);
  };
  if (given.file < 0 && (errno == ENOENT || errno == ENOTDIR)) refuse_to_map(path, "no such file", remedy);
  if (given.file < 0) refuse_by_system("cannot be opened: ");
  struct stat status {};
  if (::fstat(given.file, &status) != 0) refuse_by_system("cannot be read: ");
  if (S_ISDIR(status.st_mode)) refuse_to_map(path, "is a folder", remedy);
  if (!S_ISREG(status.st_mode)) refuse_to_map(path, "is not a regular file", remedy);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size == 0) return;  // nothing can be mapped
  if (size > std::numeric_limits<std::ptrdiff_t>::max()) refuse_to_map(path, "is too large to be mapped", remedy);
  void* const data = ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ, MAP_PRIVATE, given.file, 0);
  if (data == MAP_FAILED) refuse_by_system("cannot be mapped: ");
  bytes_ = {static_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace orderlab
