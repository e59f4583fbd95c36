// What operations check of their inputs.
#pragma once

#include <string_view>

namespace orderlab {

/// Error(unsupported), "WHAT COUNT: ...", for 2^31 and more, and for more than memory has room for.
void require_small(std::string_view what, double count);

}  // namespace orderlab
