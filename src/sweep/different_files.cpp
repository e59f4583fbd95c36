#include "sweep/different_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <optional>
#include <utility>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

using FileNumber = std::pair<dev_t, ino_t>;

std::optional<FileNumber> file_number(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileNumber(found.st_dev, found.st_ino);
}

}  // namespace

void require_different(const std::string& to, std::span<const std::string> from, const MergedKind& kind) {
  const auto into = file_number(to);
  std::map<FileNumber, std::string> known;
  for (const std::string& path : from) {
    const auto file = file_number(path);
    if (!file) continue;
    if (file == into)
      throw Error(ErrorKind::usage, fmt::format("{}: is merged with itself; {} names the {} that takes the others",
                                                path, kind.flag, kind.noun));
    const auto [other, added] = known.emplace(*file, path);
    if (!added)
      throw Error(ErrorKind::usage, fmt::format("{}: is given twice{}; name each {} once", path,
                                                other->second == path ? "" : ", also as " + other->second, kind.noun));
  }
}

}  // namespace orderlab
