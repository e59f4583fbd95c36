// What a study says of the fields of a request, in the words of the command line.
#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

/// The text with every field, which it names in backticks, as its flag: "`samples`" becomes "--samples".
std::string with_flags(const std::string& text);

/// The error of a command that was given `line`: with flags for fields, and what was typed for the value.
std::string with_flags(const RequestError& error, const CommandLine& line);

}  // namespace orderlab::cli
