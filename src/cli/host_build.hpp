// Makes a program for the host of CUDA sources: rewritten, compiled and linked in a temporary folder, where the next
// run finds it again.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace orderlab::cli {

struct HostSources {
  std::vector<std::string> files;
  std::vector<std::string> include_folders;
  std::vector<std::string> definitions;  ///< NAME or NAME=VALUE
  std::string standard;                  ///< "c++20"; empty: that of the headers
  bool all_checked = false;              ///< no thread block is run without checks
};

/// Path of the program. What the compiler prints of an error goes to `complaints`, with the user's own files and lines,
/// and the path is empty then.
///
/// Errors: usage where there is no compiler or where a source holds what cannot be rewritten; input for a file that
///         cannot be read. Stopped where a stop was requested.
std::string build_host_program(const HostSources& sources, std::string& complaints, const std::stop_token& stop);

}  // namespace orderlab::cli
