// What the build knows of compiling host programs: options of kernels, a line each, for g++ and for clang. The build
// writes their source.
#pragma once

#include <string_view>

namespace orderlab::cli {

extern const std::string_view kHostOptionsOfGnu;
extern const std::string_view kHostOptionsOfClang;
extern const std::string_view kHostUncheckedOfGnu;  ///< for the copy that reports no accesses
extern const std::string_view kHostUncheckedOfClang;
extern const std::string_view kHostFusingOfGnu;  ///< a * b + c is fused, as nvcc does it
extern const std::string_view kHostFusingOfClang;
extern const std::string_view kHostLibraries;           ///< that static libraries of orderlab need
extern const std::string_view kHostIncludeFromProgram;  ///< installed folders, seen from that of the program
extern const std::string_view kHostLibrariesFromProgram;

}  // namespace orderlab::cli
