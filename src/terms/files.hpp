// Terms in files: what the readers of the kinds of file share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/input_file.hpp"
#include "orderlab/error.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// Error(input, "FILE: problem").
inline Error file_error(const std::string& file, const std::string& problem) {
  return {ErrorKind::input, file + ": " + problem};
}

/// How numbers lie in a binary file.
struct Layout {
  Format format;
  bool big_endian = false;
};

/// The next n numbers of `file` as terms of `format`; conversions that change a number are counted.
Terms read_binary(InputFile& file, Layout layout, std::size_t n, Format format);

/// One number a line, decimal or hex float; blank lines and lines that start with # are skipped.
Terms read_text(InputFile& file, Format format);

/// Bytes of a file of binary numbers. Error(input) for a pipe and for nothing.
std::uint64_t binary_size(const InputFile& file);

Terms read_raw_file(InputFile& file, Format own, std::optional<Format> format);
Terms read_npy_file(InputFile& file, std::optional<Format> format);

}  // namespace orderlab
