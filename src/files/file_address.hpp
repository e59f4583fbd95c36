// FILE::NAME: a file, and what in it.
#pragma once

#include <string>
#include <string_view>

namespace orderlab {

struct FileAddress {
  std::string path;  ///< "-" is standard input
  std::string name;  ///< of a column, an array, a tensor; empty: the only one
};

/// Takes FILE::NAME apart at the first "::" with something on both sides where there is such a FILE; where there is
/// none, at the first. A file of the whole name has no NAME.
FileAddress file_address(const std::string& text);

/// Whether it names standard input, or something in it.
bool is_standard_input(const std::string& text);

}  // namespace orderlab
