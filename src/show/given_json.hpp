// A result that was given to `check`, as "config" has it.
#pragma once

#include <cstdint>

#include "config/json.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Bits and how often they were given; and the digits of a decimal that had fewer than the format needs, else 0.
inline Json given_json(Format format, std::uint64_t bits, std::uint64_t count, int digits) {
  Json given{bits_text(format, bits), count};
  if (digits > 0) given.push_back(digits);
  return given;
}

}  // namespace orderlab
