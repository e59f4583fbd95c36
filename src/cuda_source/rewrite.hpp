// A source of CUDA C++ as C++ for the host executor: text to text, line for line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab::cuda_source {

/// What cannot be rewritten, with its line: for a person.
struct Problem {
  std::size_t line;  ///< from 1
  std::string text;

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// An #include that names its file.
struct Include {
  std::string_view name;
  bool quoted;  ///< "name", not <name>

  friend bool operator==(const Include&, const Include&) = default;
};

struct Rewritten {
  std::string text;
  std::vector<Problem> problems;
};

/// `source` with these changes, each within its line, in both branches of every condition and in bodies of macros:
/// - `kernel<<<grid, block, shared, stream>>>(...)` becomes `ORDERLAB_LAUNCH((kernel), grid, block, shared, stream)(...)`;
/// - `extern __shared__ T x[];` becomes a pointer in a function, and ORDERLAB_DYNAMIC_SHARED in front of one;
/// - `cudaLaunchKernel((void*)kernel, ...)` and its cooperative sister lose the cast, which hides the parameters' types;
/// - variables and members of the host called gridDim, blockDim, blockIdx or threadIdx are called orderlab_gridDim and
///   so on, from their declaration to the end of its scope;
/// - `asm` in functions of the device becomes ORDERLAB_PTX, which stops a program that comes there.
Rewritten rewrite(std::string_view source);

/// The files that `source` includes by name, in any branch.
std::vector<Include> includes_of(std::string_view source);

}  // namespace orderlab::cuda_source
