// A program with kernels, compiled twice, as one: with the calls that tell of accesses, and a copy without them for
// thread blocks that are not checked. What the compilers (g++, clang++) wrote in assembly, text to text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orderlab::cuda_source {

/// One source.
struct CompiledTwice {
  std::string checked;
  std::string unchecked;
};

/// Whether accesses to `volatile` variables wait for other threads, as those of checked code do: there is no copy
/// without the calls then.
bool has_volatile_accesses(std::string_view checked);

/// Changes both copies of all sources of a program so that they can be linked:
/// - functions of the unchecked copy have names of their own, with ".unchecked" at the end, and call one another;
/// - all variables but shared ones are those of the checked copy, also those that only their source knows;
/// - what begins and ends the program is done by the checked copy alone;
/// - the section orderlab_unchecked has the addresses of both copies of each function host_program::run_body.
void join_copies(std::vector<CompiledTwice>& sources);

}  // namespace orderlab::cuda_source
