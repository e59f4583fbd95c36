// Joins two compiled forms of a CUDA program: one reports every access, the other, for thread blocks that are not
// checked, reports none. Works on the assembly text of g++ and clang++.
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

/// Whether the program accesses volatile variables. Checked code lets other threads run there; a copy without the calls
/// would wait forever, so there is none.
bool has_volatile_accesses(std::string_view checked);

/// Changes both copies of all sources of a program so that they can be linked:
/// - functions of the unchecked copy have names of their own, with ".unchecked" at the end, and call one another; the
///   address of a function is that of the checked copy;
/// - all variables but shared ones are those of the checked copy, also those that only their source knows;
/// - what begins and ends the program is done by the checked copy alone;
/// - the section orderlab_unchecked has the addresses of both copies of each function host_program::run_body.
void join_copies(std::vector<CompiledTwice>& sources);

}  // namespace orderlab::cuda_source
