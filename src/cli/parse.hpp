// Arguments to the command that they ask for; what help says.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace orderlab::cli {

/// What the arguments ask for: a command with its values, or a text to print, help or the version.
struct Request {
  const Command* command = nullptr;  ///< null: `text` is all
  CommandLine line{{}};
  std::string text;
};

/// Error(usage), one line that begins with the command where one is named: no such command or flag, a flag without its
/// value, given twice, or with an empty text. `width`: columns of a text of help.
Request parse(const std::vector<std::string>& given, int width = 80);

/// What --help prints in so many columns: of a command, or of the program where that is null.
std::string help_text(const Command* command, int width);

}  // namespace orderlab::cli
