// A format as an argument of a stage.
#pragma once

#include <array>
#include <string_view>

#include "orderlab/format.hpp"

namespace orderlab {

inline constexpr std::array<std::string_view, 4> kFormatNames{kFormats[0].name, kFormats[1].name, kFormats[2].name,
                                                              kFormats[3].name};

/// The format of a name in kFormatNames.
inline Format format_of(std::string_view name) { return *find_format(name); }

}  // namespace orderlab
