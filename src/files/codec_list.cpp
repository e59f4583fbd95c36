// The codecs, one line each.
#include <algorithm>

#include "files/codec.hpp"

namespace orderlab {

namespace {

/// Of a block of bzip2, and of the end of a stream without one.
constexpr std::string_view kBeginsBlock[] = {"1AY&SY", "\x17rE8P\x90"};

constexpr std::string_view kXzMagic(
    "\xfd"
    "7zXZ\0",
    6);

/// A frame that readers of Zstandard read over, as parallel and seekable writers add them: 0x184D2A50 to 0x184D2A5F.
bool begins_skippable_frame(std::string_view begin) {
  constexpr std::string_view kRest = "*M\x18";
  return !begin.empty() && (begin[0] & 0xF0) == 0x50 && kRest.starts_with(begin.substr(1, kRest.size()));
}

constexpr Codec kGzip{"gzip", "\x1f\x8b\x08", ".gz", "zlib1g-dev", open_gzip};
constexpr Codec kBzip2{"bzip2", "BZh", ".bz2", "libbz2-dev", open_bzip2, kBeginsBlock};
constexpr Codec kXz{"xz", kXzMagic, ".xz", "liblzma-dev", open_xz};
constexpr Codec kZstd{"zstd", "\x28\xb5\x2f\xfd", ".zst", "libzstd-dev", open_zstd, {}, begins_skippable_frame};

bool begins_with_magic(const Codec& codec, std::string_view data) {
  if (data.starts_with(codec.magic)) return true;
  return codec.begins_empty_stream != nullptr && data.size() >= codec.magic.size() && codec.begins_empty_stream(data);
}

bool begins(const Codec& codec, std::string_view data) {
  if (!begins_with_magic(codec, data)) return false;
  const std::string_view after = data.substr(std::min(data.size(), codec.magic.size() + 1));
  return codec.then.empty() ||
         std::ranges::any_of(codec.then, [&](std::string_view then) { return after.starts_with(then); });
}

}  // namespace

std::span<const Codec* const> codecs() {
  static constexpr const Codec* kAll[] = {&kGzip, &kBzip2, &kXz, &kZstd};
  return kAll;
}

const Codec* codec_with_magic(std::string_view data) {
  for (const Codec* codec : codecs())
    if (begins_with_magic(*codec, data)) return codec;
  return nullptr;
}

const Codec* codec_of(std::string_view name, std::string_view data) {
  for (const Codec* codec : codecs())
    if (begins(*codec, data) || (name.ends_with(codec->suffix) && begins_with_magic(*codec, data))) return codec;
  return nullptr;
}

}  // namespace orderlab
