// What operations check of their inputs.
#pragma once

#include <string_view>

namespace orderlab {

/// Error(unsupported), "WHAT COUNT: ...", for 2^31 and more.
void require_small(std::string_view what, double count);

}  // namespace orderlab
