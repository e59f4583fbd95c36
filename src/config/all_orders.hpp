// Points of a sweep that enumerate.
#pragma once

#include <string_view>

namespace orderlab {

/// In place of a number of samples: every order at once.
inline constexpr std::string_view kAllOrders = "all";

}  // namespace orderlab
