// Numbers as bytes, the same on every machine: varints, zigzag code, doubles; and a reader that trusts none of them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "orderlab/error.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
constexpr std::uint64_t zigzag(std::int64_t x) {
  return (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63);
}

constexpr std::int64_t from_zigzag(std::uint64_t x) { return static_cast<std::int64_t>((x >> 1) ^ (~(x & 1) + 1)); }

/// 7 bits a byte, low ones first, the top bit set on all but the last byte.
inline void put_varint(std::string& bytes, std::uint64_t x) {
  for (; x >= 128; x >>= 7) bytes += static_cast<char>(128 | (x & 127));
  bytes += static_cast<char>(x);
}

/// 8 bytes, little endian.
inline void put_fp64(std::string& bytes, double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((bits >> shift) & 255);
}

/// Their number as a varint, and then they.
inline void put_bytes(std::string& bytes, std::string_view more) {
  put_varint(bytes, more.size());
  bytes += more;
}

/// Reads bytes from the first to the last. Whatever they are, they are refused by Error(input) or give numbers.
class ByteReader {
 public:
  /// Messages are "`what`: problem; this is not `whole`". The bytes outlive the reader, as do both texts.
  ByteReader(std::string_view bytes, std::string_view what, std::string_view whole)
      : rest_(bytes), what_(what), whole_(whole) {}

  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error(ErrorKind::input, std::string(what_) + ": " + problem + "; this is not " + std::string(whole_));
  }

  bool done() const { return rest_.empty(); }

  /// Refuses bytes that are left.
  void end() const {
    if (!done()) refuse(std::to_string(rest_.size()) + " bytes too many");
  }

  /// Refuses bytes that do not begin with these two: a kind of things, and the version of its form.
  void header(char kind, char version) {
    if (static_cast<char>(byte()) != kind) refuse(std::string("the first byte is not ") + kind);
    const std::uint8_t found = byte();
    if (static_cast<char>(found) != version)
      refuse("its form has version " + std::to_string(found) + ", not " + std::to_string(version));
  }

  std::uint8_t byte() {
    if (rest_.empty()) refuse("the bytes end too early");
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }

  /// The number of a format that results can have.
  Format result_format() {
    const std::uint8_t format = byte();
    if (format >= kAllFormats.size() || !kAllFormats[format].uses.results) refuse("a format that there is not");
    return kAllFormats[format].format;
  }

  /// Only in the form that put_varint gives.
  std::uint64_t varint() {
    std::uint64_t x = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      x |= (next & 127) << shift;
      if (next == 0 && shift > 0) refuse("a number with more bytes than it takes");
      if (next < 128 && (shift < 63 || next < 2)) return x;
    }
    refuse("a number of more than 64 bits");
  }

  double fp64() {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{byte()} << shift;
    return std::bit_cast<double>(bits);
  }

  /// A double of at least +0, maybe inf.
  double magnitude() {
    const double x = fp64();
    if (std::isnan(x) || std::signbit(x)) refuse("a magnitude that is negative or NaN");
    return x;
  }

  /// What put_bytes wrote.
  std::string_view bytes() {
    const std::uint64_t size = varint();
    if (size > rest_.size()) refuse("the bytes end too early");
    const std::string_view some = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return some;
  }

 private:
  std::string_view rest_;
  std::string_view what_;
  std::string_view whole_;
};

}  // namespace orderlab
