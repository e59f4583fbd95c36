// Completion for shells, from the table of commands.
#pragma once

#include <string>

namespace orderlab::cli {

/// A bash script that completes commands, flags, their words, names and files.
std::string bash_completion();

/// The same for zsh, and for fish.
std::string zsh_completion();
std::string fish_completion();

}  // namespace orderlab::cli
