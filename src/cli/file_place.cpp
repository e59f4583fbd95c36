#include "cli/file_place.hpp"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace orderlab::cli {

namespace {

constexpr int kMostLinks = 40;  // as in Linux

bool is_link(const std::string& path) {
  struct stat about {};
  return lstat(path.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
}

// Links of /proc lead to open files; their text is only a remark.
bool lies_in_proc(const std::string& path) {
  struct statfs system {};
  return statfs(folder_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

void follow_links(FilePlace& place) {
  std::error_code code;
  for (int i = 0; i < kMostLinks && is_link(place.target); ++i) {
    if (lies_in_proc(place.target)) {
      place.descriptor = true;
      return;
    }
    const std::string link = std::filesystem::read_symlink(place.target, code).string();
    if (code) return;
    place.target = link.starts_with('/') ? link : folder_of(place.target) + "/" + link;
  }
}

FileKind kind_of(mode_t mode, bool open) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISDIR(mode)) return FileKind::folder;
  if (S_ISFIFO(mode) || (S_ISSOCK(mode) && open)) return FileKind::pipe;
  return S_ISCHR(mode) ? FileKind::device : FileKind::other;
}

// Two outputs may share a device such as /dev/null also where standard output is one; a terminal shows what comes to
// it.
bool is_standard_output(const FilePlace& place) {
  struct stat out {};
  return fstat(STDOUT_FILENO, &out) == 0 && place.identity == FileIdentity{out.st_dev, out.st_ino, {}} &&
         (place.kind != FileKind::device || isatty(STDOUT_FILENO) != 0);
}

void find_folder(FilePlace& place) {
  struct stat folder {};
  if (stat(folder_of(place.target).c_str(), &folder) != 0) place.error = errno;
  place.identity = {folder.st_dev, folder.st_ino, name_in_folder(place.target)};
  if (place.identity.name.empty()) place.kind = FileKind::folder;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_in_folder(const std::string& path) { return path.substr(path.rfind('/') + 1); }

FilePlace place_of(const std::string& path) {
  FilePlace place;
  place.target = path;
  // The system follows the links first: it knows of links that this user must not follow.
  struct stat about {};
  const bool there = stat(path.c_str(), &about) == 0;
  if (!there && errno != ENOENT) {
    place.error = errno;
    return place;
  }
  follow_links(place);
  if (!there) {
    find_folder(place);
    return place;
  }
  place.kind = kind_of(about.st_mode, place.descriptor);
  place.identity = {about.st_dev, about.st_ino, {}};
  place.standard_output = is_standard_output(place);
  return place;
}

FilePlace place_of_standard_input() {
  FilePlace place;
  place.descriptor = true;
  struct stat about {};
  if (fstat(STDIN_FILENO, &about) != 0) {
    place.error = errno;
    return place;
  }
  place.kind = kind_of(about.st_mode, true);
  place.identity = {about.st_dev, about.st_ino, {}};
  return place;
}

}  // namespace orderlab::cli
