// A TOML file, read with places for messages.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace orderlab {

/// "FILE:LINE:COLUMN".
std::string toml_place(const std::string& path, const toml::source_region& where);

/// Error(input), "FILE:LINE:COLUMN: ...": more than 1 MiB, no TOML, what toml_guard.hpp refuses.
toml::table read_toml(const std::string& path);

}  // namespace orderlab
