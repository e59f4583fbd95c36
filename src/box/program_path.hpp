// Where the programs of a name are.
#pragma once

#include <string>

namespace orderlab {

/// Where the shell would find the program `name`; empty where it would not.
std::string path_of_program(const std::string& name);

}  // namespace orderlab
