// xz where its library is not installed.
#include "files/codec.hpp"

namespace orderlab {

extern const Codec kXz;
const Codec kXz{"xz",
                std::string_view("\xfd"
                                 "7zXZ\0",
                                 6),
                ".xz", "liblzma-dev", nullptr};

}  // namespace orderlab
