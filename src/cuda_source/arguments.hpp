// The variables that a call names, for messages: cudaMalloc((void**)&d_x, n) is about d_x.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab::cuda_source {

/// The variable of each argument of the first call of a function whose name begins with `function` on line `line`
/// (from 1) of `source`, which may end some lines later. Empty texts where an argument names none; nothing where there
/// is no such call.
std::vector<std::string> variables_of_call(std::string_view source, std::size_t line, std::string_view function);

/// The kernel that the call names first, as cudaLaunchKernel((void*)kernel<float>, ...) does; empty where it is not
/// found.
std::string kernel_of_call(std::string_view source, std::size_t line, std::string_view function);

}  // namespace orderlab::cuda_source
