// FILE::NAME: a file, and what in it.
#pragma once

#include <string>
#include <string_view>

namespace orderlab {

struct FileAddress {
  std::string path;  ///< "-" is standard input
  std::string name;  ///< of a column, an array, a tensor; empty: the only one
};

/// Takes FILE::NAME apart at the first "::" with something on both sides, unless there is a file of the whole name.
FileAddress file_address(const std::string& text);

}  // namespace orderlab
