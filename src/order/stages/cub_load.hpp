// How a CUB kernel loads its full tiles: a parameter of the stage and of the named orders that are made of it.
#pragma once

#include <string_view>

#include "orderlab/parameters.hpp"

namespace orderlab {

inline constexpr std::string_view kCubAligned = "aligned";
inline constexpr std::string_view kCubLoads[] = {kCubAligned, "striped"};

/// aligned: four neighbours at a time, through a raw pointer to that many; striped: through any other iterator.
inline constexpr Parameter kCubLoadParameter{
    .name = "load", .kind = ParameterKind::choice, .default_text = kCubAligned, .choices = kCubLoads};

}  // namespace orderlab
