// What stages check that halve runs.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "orderlab/error.hpp"

namespace orderlab {

/// Error(usage) unless the number is a power of two; `what` names it.
inline void check_power_of_two(std::uint64_t number, const std::string& what) {
  if (std::has_single_bit(number)) return;
  std::string near = std::to_string(std::bit_floor(number));
  if (number < std::uint64_t{1} << 63) near += " or " + std::to_string(std::bit_ceil(number));
  throw Error(ErrorKind::usage, what + " must be a power of two, such as " + near);
}

/// Error(usage) unless `to` is a power of two up to `width`, a power of two that the user knows as `name`.
inline void check_halving_to(std::uint64_t to, std::uint64_t width, const std::string& stage, const std::string& name) {
  const std::string what = stage + ": to=" + std::to_string(to);
  check_power_of_two(to, what);
  if (to > width)
    throw Error(ErrorKind::usage,
                what + " is more than " + name + " = " + std::to_string(width) + "; to must be at most " + name);
}

}  // namespace orderlab
