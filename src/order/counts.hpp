// Arithmetic on counts.
#pragma once

#include <cstddef>

namespace orderlab {

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace orderlab
