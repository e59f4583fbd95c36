// The name of the stage whose steps are those of a unit, and what its parameters may be.
#pragma once

#include <cstddef>
#include <string_view>

#include "orderlab/fused.hpp"

namespace orderlab {

inline constexpr std::string_view kFusedStageName = "fused";
inline constexpr std::size_t kMostFused = 1024;        // products of a step: see the proof in order/fused_sum.cpp
inline constexpr std::size_t kMostFusedFraction = 60;  // bits

/// A rounding as the stage calls it.
constexpr std::string_view name_of(FusedRounding rounding) {
  constexpr std::string_view kNames[] = {"none", "rz", "rne", "e8m13"};
  return kNames[static_cast<std::size_t>(rounding)];
}

}  // namespace orderlab
