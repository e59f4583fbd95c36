// What files of numbers hold.
#pragma once

#include "cli/command.hpp"

namespace orderlab::cli {

/// Prints the arrays of every file that was given to be read: name, type, shape. Returns the exit status. Errors: input
/// as open_array_file; usage where no file was given.
int list_arrays(const CommandLine& line, Session& session);

}  // namespace orderlab::cli
