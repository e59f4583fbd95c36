// Files that begin as .npy files do, made of choices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"
#include "terms/npy_header.hpp"

namespace orderlab::fuzz {

/// All that is left, as it is; or as a header, up to '}', of a file of version 1, with as many bytes after it as the
/// header asks for, where they are few.
inline std::string npy_file(Choices& choices) {
  const std::uint64_t kind = choices.below(3);
  const std::string content(choices.text());
  const std::size_t end = content.find('}');
  if (kind == 0 || end == std::string::npos) return content;
  const std::string header = content.substr(0, end + 1);
  std::string body = content.substr(end + 1);
  const NpyHeader read = parse_npy_header(header, "header");
  std::uint64_t n = 1;
  for (const std::uint64_t extent : read.shape)
    if (__builtin_mul_overflow(n, extent, &n)) n = 0;
  const char last = read.type.empty() ? '0' : read.type.back();
  if (last >= '1' && last <= '8' && n < 1000) body.resize(n * static_cast<std::uint64_t>(last - '0'), 'x');
  const std::string length{static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return "\x93NUMPY" + std::string(1, '\1') + std::string(1, '\0') + length + header + body;
}

}  // namespace orderlab::fuzz
