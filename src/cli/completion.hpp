// Completion for shells, from the table of commands.
#pragma once

#include <string>

namespace orderlab::cli {

/// A bash script that completes commands, flags, their words, names and files.
std::string bash_completion();

/// The same for zsh.
std::string zsh_completion();

}  // namespace orderlab::cli
