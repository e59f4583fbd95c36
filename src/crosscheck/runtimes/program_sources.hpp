// The sources of the runtimes' programs, as they are in `programs`.
#pragma once

#include <string_view>

namespace orderlab {

/// What all of them include.
std::string_view jobs_header();

/// The program of that name: "mpi".
std::string_view program_source(std::string_view name);

}  // namespace orderlab
