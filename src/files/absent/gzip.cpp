// gzip where its library is not installed.
#include "files/codec.hpp"

namespace orderlab {

extern const Codec kGzip;
const Codec kGzip{"gzip", "\x1f\x8b\x08", ".gz", "zlib1g-dev", nullptr};

std::unique_ptr<Decompressor> open_deflate() { return nullptr; }

}  // namespace orderlab
