// The names of guarantees.
#pragma once

#include <string_view>

namespace orderlab {

/// In the order of Guarantee.
inline constexpr std::string_view kGuaranteeNames[] = {"any_device", "run_to_run", "not_guaranteed"};

}  // namespace orderlab
