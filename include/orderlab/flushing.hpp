// Whether fp32 additions replace subnormal numbers by zeros.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace orderlab {

/// What is known of fp32 atomics and additions: whether subnormal operands and sums become signed zeros.
enum class Flushing : std::uint8_t {
  either,  ///< unknown: each addition may
  yes,
  no,
};

/// In the order of Flushing.
inline constexpr std::array<std::string_view, 3> kFlushingNames{"either", "yes", "no"};

constexpr std::string_view name_of(Flushing flushing) { return kFlushingNames[static_cast<std::size_t>(flushing)]; }

/// The inverse. Error(usage) with the known names.
Flushing parse_flushing(std::string_view text);

}  // namespace orderlab
