// The name of the stage whose steps are those of a unit.
#pragma once

#include <string_view>

namespace orderlab {

inline constexpr std::string_view kFusedStageName = "fused";

}  // namespace orderlab
