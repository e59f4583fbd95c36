// zstd where its library is not installed.
#include "files/codec.hpp"

namespace orderlab {

extern const Codec kZstd;
const Codec kZstd{"zstd", "\x28\xb5\x2f\xfd", ".zst", "libzstd-dev", nullptr};

}  // namespace orderlab
