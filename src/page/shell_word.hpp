// A word of a command line as a shell reads it.
#pragma once

#include <string>

namespace orderlab {

/// `value`, in quotes where a shell would not take it as it is; in $'...' where it cannot be shown as it is.
std::string shell_word(const std::string& value);

}  // namespace orderlab
