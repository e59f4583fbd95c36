// The codecs, one line each.
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

const Codec* codec_of(std::string_view data) {
  for (const Codec* codec : codecs())
    if (data.starts_with(codec->magic)) return codec;
  return nullptr;
}

}  // namespace orderlab
