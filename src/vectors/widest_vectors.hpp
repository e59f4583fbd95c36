// Which vectors this machine has.
#pragma once

#include <string_view>

namespace orderlab {

/// Highway's name for the widest vectors that this build has code for and this machine has: "AVX2".
std::string_view widest_vectors();

}  // namespace orderlab
