// What files are compressed with.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace orderlab {

/// One compressed stream, taken and decompressed piece by piece.
class Decompressor {
 public:
  enum class State { more, ended, damaged };
  struct Step {
    std::size_t taken;
    std::size_t made;
    State state;
  };

  virtual ~Decompressor() = default;

  /// Takes some of `in`, writes some of `out`. std::bad_alloc.
  virtual Step step(std::span<const char> in, std::span<char> out) = 0;
};

/// A way to compress.
struct Codec {
  std::string_view name;
  std::string_view magic;   ///< what each of its streams begins with
  std::string_view suffix;  ///< of names of files
  std::string_view package;

  /// Null where this build does not have it.
  std::unique_ptr<Decompressor> (*open)();

  /// What a file of it has after the magic and one byte of any kind; empty: anything.
  std::span<const std::string_view> then = {};

  /// Whether a stream without content begins so, or with more that begins so; null where there are none.
  bool (*begins_empty_stream)(std::string_view begin) = nullptr;
};

std::span<const Codec* const> codecs();

/// The codec of a file that begins so; null for others. Where its name says which, the magic alone counts: what
/// follows it may be damaged.
const Codec* codec_of(std::string_view name, std::string_view data);

/// The codec whose streams, also those without content, begin as `data` does, whatever follows the magic.
const Codec* codec_with_magic(std::string_view data);

/// Streams of each codec, and of deflate without a header, as members of archives have it; null where this build does
/// not have them.
std::unique_ptr<Decompressor> open_gzip();
std::unique_ptr<Decompressor> open_bzip2();
std::unique_ptr<Decompressor> open_xz();
std::unique_ptr<Decompressor> open_zstd();
std::unique_ptr<Decompressor> open_deflate();

}  // namespace orderlab
