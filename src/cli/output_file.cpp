#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <system_error>

#include "cli/file_place.hpp"
#include "cli/temporary_file.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

bool is_replaced(const FilePlace& place) {
  return !place.descriptor && (place.kind == FileKind::absent || place.kind == FileKind::regular);
}

// The descriptor of this program that /dev/fd/N names; -1 where that is another program's.
int own_descriptor(const FilePlace& place) {
  if (!place.descriptor) return -1;
  const std::string name = name_in_folder(place.target);
  int number = -1;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  struct stat about {};
  const bool own = code == std::errc() && end == name.data() + name.size() && fstat(number, &about) == 0 &&
                   place.identity == FileIdentity{about.st_dev, about.st_ino, {}};
  return own ? number : -1;
}

// 0, or the errno that says why the existing file cannot be written.
int denial(const FilePlace& place) {
  if (const int own = own_descriptor(place); own >= 0)
    return (fcntl(own, F_GETFL) & O_ACCMODE) == O_RDONLY ? EACCES : 0;
  return faccessat(AT_FDCWD, place.target.c_str(), W_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// Why the existing file could be written but not replaced; or empty.
std::string obstacle(const FilePlace& place) {
  struct statx file {};
  struct stat folder {};
  if (statx(AT_FDCWD, place.target.c_str(), AT_SYMLINK_NOFOLLOW, STATX_UID, &file) != 0) return {};
  if ((file.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) return "it is mounted as a file, and cannot be replaced";
  const uid_t user = geteuid();
  const bool sticky = stat(folder_of(place.target).c_str(), &folder) == 0 && (folder.st_mode & S_ISVTX) != 0;
  if (sticky && user != 0 && user != file.stx_uid && user != folder.st_uid)
    return "it belongs to another user, in a folder where only the owner can replace a file";
  return {};
}

void replace(const std::string& target, std::string_view text) {
  struct stat old {};
  const bool there = lstat(target.c_str(), &old) == 0;
  TemporaryFile file(folder_of(target), there ? 0600 : 0666);
  if (there) file.take_owner_and_mode(old);
  file.write(text);
  file.become(target);
}

int open_in_place(Session& session, const FilePlace& place, const std::string& path) {
  if (const int own = own_descriptor(place); own >= 0) return fcntl(own, F_DUPFD_CLOEXEC, 0);
  constexpr int kFlags = O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC;
  const int file = open(place.target.c_str(), kFlags | O_NONBLOCK);
  if (file >= 0) {
    fcntl(file, F_SETFL, O_APPEND);  // writes wait
    return file;
  }
  if (errno != ENXIO || place.kind != FileKind::pipe) return -1;
  complain(session, path + ": is a pipe that nobody reads; waiting for a reader");
  return open(place.target.c_str(), kFlags);
}

void write_in_place(Session& session, const FilePlace& place, const std::string& path, std::string_view text) {
  const OpenFile file(open_in_place(session, place, path));
  file.write(text);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  const FilePlace place = place_of(path_);
  if (place.error == ENOENT || place.error == ENOTDIR) refuse("its folder does not exist");
  if (place.error != 0) refuse(reason(place.error));
  if (place.kind == FileKind::folder) refuse("it is a folder; name a file in it");
  if (place.kind == FileKind::other) refuse("it is not a file, pipe or terminal");
  if (const int error = place.kind == FileKind::absent ? 0 : denial(place)) refuse(reason(error));
  if (!is_replaced(place)) return;
  if (const std::string why = obstacle(place); !why.empty())
    refuse(why + "; name another file, or write to standard output by -");
  try {
    const TemporaryFile trial(folder_of(place.target), 0600);
  } catch (const std::system_error& error) {
    refuse("no file can be created in its folder (" + reason(error.code().value()) +
           "); name another folder, or write to standard output by -");
  }
}

void OutputFile::commit(Session& session, std::string_view text) const {
  try {
    const FilePlace place = place_of(path_);
    if (place.error != 0) refuse(reason(place.error));
    const InPhase phase(session, is_replaced(place) ? Phase::replacing : Phase::reporting);
    if (is_replaced(place))
      replace(place.target, text);
    else
      write_in_place(session, place, path_, text);
  } catch (const std::system_error& error) {
    refuse(reason(error.code().value()));
  }
}

void OutputFile::refuse(const std::string& why) const {
  throw Error(ErrorKind::usage, path_ + ": cannot be written: " + why);
}

}  // namespace orderlab::cli
