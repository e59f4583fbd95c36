// The codecs, one line each.
#include <algorithm>

#include "files/codec.hpp"

namespace orderlab {

extern const Codec kGzip;
extern const Codec kBzip2;
extern const Codec kXz;
extern const Codec kZstd;

std::span<const Codec* const> codecs() {
  static constexpr const Codec* kAll[] = {&kGzip, &kBzip2, &kXz, &kZstd};
  return kAll;
}

namespace {

bool begins(const Codec& codec, std::string_view data) {
  if (!data.starts_with(codec.magic)) return false;
  const std::string_view after = data.substr(std::min(data.size(), codec.magic.size() + 1));
  return codec.then.empty() ||
         std::ranges::any_of(codec.then, [&](std::string_view then) { return after.starts_with(then); });
}

}  // namespace

const Codec* codec_with_magic(std::string_view data) {
  for (const Codec* codec : codecs())
    if (data.starts_with(codec->magic)) return codec;
  return nullptr;
}

const Codec* codec_of(std::string_view name, std::string_view data) {
  for (const Codec* codec : codecs())
    if (begins(*codec, data) || (name.ends_with(codec->suffix) && data.starts_with(codec->magic))) return codec;
  return nullptr;
}

}  // namespace orderlab
