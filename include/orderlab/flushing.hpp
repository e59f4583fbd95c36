// Whether fp32 additions replace subnormal numbers by zeros.
#pragma once

#include <cstdint>
#include <string_view>

namespace orderlab {

/// What is known of fp32 atomics and additions: whether subnormal operands and sums become signed zeros.
enum class Flushing : std::uint8_t {
  either,  ///< unknown: each addition may
  yes,
  no,
};

/// "either", "yes", "no".
std::string_view name_of(Flushing flushing);

/// The inverse. Error(usage) with the known names.
Flushing parse_flushing(std::string_view text);

}  // namespace orderlab
