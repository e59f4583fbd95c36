// The manual page, from the table of commands.
#pragma once

#include <string>

namespace orderlab::cli {

/// orderlab(1) in roff's man macros: every command with its flags and an example.
std::string man_page();

}  // namespace orderlab::cli
