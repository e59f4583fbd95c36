// Terms in files: what the readers of the kinds of file share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orderlab/error.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// Error(input, "FILE: problem").
inline Error file_error(const std::string& file, const std::string& problem) {
  return {ErrorKind::input, file + ": " + problem};
}

/// Text in quotes for a message: cut to 40 characters, unprintable ones replaced by '?'.
std::string in_quotes(std::string_view text);

/// A regular file, open for binary reading, and its size. Error(input) if it is absent, a folder, empty or unreadable.
struct OpenFile {
  std::ifstream stream;
  std::uint64_t size;
};
OpenFile open_file(const std::string& path);

/// How numbers lie in a binary file.
struct Layout {
  Format format;
  bool big_endian = false;
};

/// The next n numbers of `stream` as terms of `format`; conversions that change a number are counted.
Terms read_binary(std::istream& stream, const std::string& file, Layout layout, std::size_t n, Format format);

/// One number a line, decimal or hex float; blank lines and lines that start with # are skipped. `file` is for
/// messages.
Terms read_text(std::istream& stream, const std::string& file, Format format);

Terms read_raw_file(const std::string& path, Format own, std::optional<Format> format);
Terms read_npy_file(const std::string& path, std::optional<Format> format);

}  // namespace orderlab
