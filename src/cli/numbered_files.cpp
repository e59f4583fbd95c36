#include "cli/numbered_files.hpp"

#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

namespace fs = std::filesystem;

// The number for which `pattern` is `name`; the mark is in it.
std::optional<std::size_t> number_in(const std::string& name, const std::string& pattern) {
  const std::size_t at = pattern.find(kShardMark);
  std::size_t number = 0;
  if (name.size() < at || name.compare(0, at, pattern, 0, at) != 0) return std::nullopt;
  if (std::from_chars(name.data() + at, name.data() + name.size(), number).ec != std::errc()) return std::nullopt;
  return number > 0 && with_number(pattern, number) == name ? std::optional(number) : std::nullopt;
}

Error cannot_be_read(const std::string& path, const std::error_code& reason) {
  return Error(ErrorKind::input, path + ": cannot be read (" + reason.message() + ")");
}

bool is_there(const std::string& file) {
  std::error_code code;
  const bool there = fs::exists(file, code);
  if (code) throw cannot_be_read(file, code);
  return there;
}

}  // namespace

std::string with_number(const std::string& name, std::size_t number) {
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = name.find(kShardMark); at != std::string::npos; at = name.find(kShardMark, from)) {
    text += name.substr(from, at - from) + std::to_string(number);
    from = at + kShardMark.size();
  }
  return text + name.substr(from);
}

std::vector<std::string> numbered_files(const std::string& name) {
  const std::size_t mark = name.find(kShardMark);
  if (mark == std::string::npos) return {name};
  // The first part of the path that has the mark; its folder is the one to be listed.
  const std::size_t folder_end = name.find_last_of('/', mark);
  const std::size_t start = folder_end == std::string::npos ? 0 : folder_end + 1;
  const std::string folder = start == 0 ? "." : name.substr(0, start);
  const std::string part = name.substr(start, name.find('/', mark) - start);
  std::map<std::size_t, std::string> found;
  std::error_code code;
  fs::directory_iterator entry(folder, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code))
    if (const auto number = number_in(entry->path().filename().string(), part))
      if (const std::string file = with_number(name, *number); is_there(file)) found[*number] = file;
  if (code && code != std::errc::no_such_file_or_directory) throw cannot_be_read(folder, code);
  std::vector<std::string> files;
  for (const auto& [number, file] : found) files.push_back(file);
  return files;
}

}  // namespace orderlab::cli
