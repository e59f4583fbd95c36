// Decompression of bzip2 archives in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/input_file.hpp"

namespace orderlab {

/// Whether `data` starts as a bzip2 archive does.
bool is_bzip2(std::string_view data);

/// The decompressed content of `archive`: one bzip2 stream, or several after each other. Error(input, "PATH: ...")
/// where it is damaged, ends early, or holds more than `limit` bytes: two kilobytes can hold gigabytes.
std::string decompress_bzip2(const std::string& path, std::string_view archive, std::uint64_t limit = kMostTextBytes);

}  // namespace orderlab
