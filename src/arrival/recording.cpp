#include "arrival/recording.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "arrival/bzip2.hpp"
#include "orderlab/error.hpp"

namespace orderlab {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::input, path + ": " + problem);
}

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "is a directory; a file of rows of numbers is wanted");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot be opened: " + std::generic_category().message(errno == 0 ? EIO : errno));
  std::string data;
  std::vector<char> piece(std::size_t{1} << 16);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    data.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) fail(path, "cannot be read to its end");
  return data;
}

/// `text` for a message: short and printable.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  std::string word = "'";
  for (const char c : text.substr(0, kLongest)) word += c >= ' ' && c <= '~' ? c : '?';
  return word + (text.size() > kLongest ? "...'" : "'");
}

/// The numbers of one line. Error(input, "WHERE: ...") for anything else in it.
std::vector<std::uint32_t> read_line(const std::string& where, std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  constexpr std::string_view kEnds = " \t\r,";
  std::vector<std::uint32_t> row;
  line = line.substr(0, line.find('#'));
  bool after_comma = false;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) break;
    if (line.front() == ',') {
      if (row.empty() || after_comma) fail(where, "a comma without a number in front of it");
      after_comma = true;
      line.remove_prefix(1);
      continue;
    }
    const std::string_view word = line.substr(0, line.find_first_of(kEnds));
    if (word.find_first_not_of("0123456789") != std::string_view::npos)
      fail(where, quoted(word) + " is no whole number; rows of whole numbers from 0 on are wanted");
    std::uint32_t value = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), value).ec != std::errc())
      fail(where, quoted(word) + " is too large; numbers up to 4294967295 can be read");
    row.push_back(value);
    after_comma = false;
    line.remove_prefix(word.size());
  }
  if (after_comma) fail(where, "a comma without a number behind it");
  return row;
}

template <class T>
void append_little_endian(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
}

}  // namespace

std::string hash_rows(std::span<const std::vector<std::uint32_t>> rows) {
  std::string bytes;
  for (const std::vector<std::uint32_t>& row : rows) {
    append_little_endian(bytes, static_cast<std::uint64_t>(row.size()));
    for (const std::uint32_t value : row) append_little_endian(bytes, value);
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("xxh3:{:016x}{:016x}", hash.high64, hash.low64);
}

std::shared_ptr<const Rows> read_rows(const std::string& path) {
  std::string data = read_file(path);
  if (is_bzip2(data)) data = decompress_bzip2(path, data);

  Rows result{.path = path, .hash = {}, .rows = {}};
  std::string_view rest = data;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    std::vector<std::uint32_t> row = read_line(fmt::format("{}:{}", path, number), rest.substr(0, length));
    if (!row.empty()) {
      result.rows.push_back(std::move(row));
      result.lines.push_back(number);
    }
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  if (result.rows.empty()) fail(path, "no numbers in it; rows of whole numbers are wanted");
  result.hash = hash_rows(result.rows);
  return std::make_shared<const Rows>(std::move(result));
}

std::string place_of_row(const Rows& recording, std::size_t i) {
  if (i < recording.lines.size()) return fmt::format("{}:{}", recording.path, recording.lines[i]);
  return fmt::format("{}: row {}", recording.path, i + 1);
}

void check_permutation_row(std::string_view where, std::span<const std::uint32_t> row) {
  std::vector<bool> seen(row.size());
  for (const std::uint32_t value : row) {
    if (value >= row.size())
      throw Error(ErrorKind::input, fmt::format("{}: {} is in it, but {} numbers in some order of 0 to {} are wanted",
                                                where, value, row.size(), row.size() - 1));
    if (seen[value])
      throw Error(ErrorKind::input, fmt::format("{}: {} is in it twice, but each of 0 to {} is wanted once", where,
                                                value, row.size() - 1));
    seen[value] = true;
  }
}

std::vector<std::uint32_t> flatten(const Rows& recording) {
  if (recording.rows.size() == 1) return recording.rows.front();
  std::vector<std::uint32_t> list;
  list.reserve(recording.rows.size());
  for (const std::vector<std::uint32_t>& row : recording.rows) {
    if (row.size() != 1)
      fail(recording.path,
           fmt::format("{} rows, one of them of {} numbers; a single row, or one number a line, is wanted",
                       recording.rows.size(), row.size()));
    list.push_back(row.front());
  }
  return list;
}

}  // namespace orderlab
